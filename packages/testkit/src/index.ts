/** The test kit: a scripted model service for five wires, real temp workspaces, real processes, programs on an emulated terminal. Knows no product. */
export {
  type Block,
  bytes,
  call,
  comment,
  cut,
  end,
  fail,
  hang,
  hold,
  ping,
  rawCall,
  redacted,
  say,
  splitBytes,
  stop,
  streamError,
  think,
  usage,
} from "./model/blocks.ts";
export { commonPrefix, promptBytes } from "./model/prompt-prefix.ts";
export type { RecordedRequest } from "./model/recorded-request.ts";
export { type ModelServer, modelServer } from "./model/server.ts";
export type { Wire } from "./model/wire.ts";
export {
  type BrowserAnswer,
  type DeviceAnswer,
  type OAuthService,
  oauthService,
  type TokenFault,
} from "./oauth/oauth-service.ts";
export { slowStdin, stdoutClosedEarly } from "./process/closed-ends.ts";
export { leftovers } from "./process/marker.ts";
export { runProcess } from "./process/run-process.ts";
export { type StartedProcess, startProcess } from "./process/started-process.ts";
export { testHost, testNode, testProgram } from "./programs/test-program.ts";
export type { Cell, CellColor, CellStyle, StyledRun } from "./terminal/cell.ts";
export { type ChangingScreen, type GoldenOptions, goldenScreens } from "./terminal/golden-screen.ts";
export { Screen, type ShownScreen } from "./terminal/screen.ts";
export { type PictureOptions, screenPicture } from "./terminal/screen-picture.ts";
export {
  contrastRatio,
  DARK_TERMINAL,
  LIGHT_TERMINAL,
  shownColors,
  type TerminalColors,
} from "./terminal/terminal-colors.ts";
export { startTerminal, type TerminalOptions, type TerminalProgram } from "./terminal/terminal-program.ts";
export { canary } from "./workspace/canary.ts";
export { TINY_PNG } from "./workspace/tiny-png.ts";
export { executable, link } from "./workspace/tree.ts";
export { type Workspace, workspace } from "./workspace/workspace.ts";
