import type { ClientCapabilities } from "vscode-languageserver-protocol";

/** What we can really do, and nothing more: a server relies on it. */
export const CLIENT_CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ["utf-16", "utf-8", "utf-32"] },
  window: { workDoneProgress: true, showMessage: {}, showDocument: { support: false } },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: false },
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true, dynamicRegistration: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: false },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    formatting: { dynamicRegistration: true },
    definition: { linkSupport: true, dynamicRegistration: true },
    references: { dynamicRegistration: true },
    hover: { contentFormat: ["markdown", "plaintext"], dynamicRegistration: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, dynamicRegistration: true },
  },
};
