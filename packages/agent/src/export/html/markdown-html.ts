import { escapeHtml, webAddress } from "./escape.ts";

/** A longer text is shown as it is written. */
const MOST_CHARACTERS = 200_000;

/** What a model wrote, as HTML: Markdown without raw HTML, with links to web pages only, and without pictures of the network. */
export function markdownHtml(text: string): string {
  if (text.length > MOST_CHARACTERS) return `<pre>${escapeHtml(text)}</pre>`;
  return Bun.markdown.render(text, CALLBACKS, {
    noHtmlBlocks: true,
    noHtmlSpans: true,
    tables: true,
    strikethrough: true,
    tasklists: true,
    autolinks: { url: true },
  });
}

const CALLBACKS: Bun.markdown.RenderCallbacks = {
  text: (text) => escapeHtml(text),
  html: (text) => escapeHtml(text),
  // The page has two levels of its own.
  heading: (inner, { level }) => {
    const tag = `h${Math.min(level + 2, 6)}`;
    return `<${tag}>${inner}</${tag}>`;
  },
  paragraph: (inner) => `<p>${inner}</p>`,
  blockquote: (inner) => `<blockquote>${inner}</blockquote>`,
  code: (inner, meta) => codeBlock(inner, meta?.language),
  codespan: (inner) => `<code>${inner}</code>`,
  list: (inner, { ordered, start }) =>
    ordered
      ? `<ol${start !== undefined && start !== 1 ? ` start="${Number(start)}"` : ""}>${inner}</ol>`
      : `<ul>${inner}</ul>`,
  listItem: (inner, meta) => `<li>${checkbox(meta?.checked)}${inner}</li>`,
  hr: () => "<hr>",
  table: (inner) => `<div class="table"><table>${inner}</table></div>`,
  thead: (inner) => `<thead>${inner}</thead>`,
  tbody: (inner) => `<tbody>${inner}</tbody>`,
  tr: (inner) => `<tr>${inner}</tr>`,
  th: (inner, meta) => `<th${alignment(meta?.align)}>${inner}</th>`,
  td: (inner, meta) => `<td${alignment(meta?.align)}>${inner}</td>`,
  strong: (inner) => `<strong>${inner}</strong>`,
  emphasis: (inner) => `<em>${inner}</em>`,
  strikethrough: (inner) => `<del>${inner}</del>`,
  link: (inner, { href }) => link(inner, href),
  image: (inner, { src }) => link(`[picture${inner === "" ? "" : `: ${inner}`}]`, src),
};

function link(inner: string, href: string): string {
  const address = webAddress(href);
  return address === null
    ? inner
    : `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`;
}

function codeBlock(inner: string, language: string | undefined): string {
  const name = language === undefined || language === "" ? "" : ` data-language="${escapeHtml(language)}"`;
  return `<pre${name}><code>${inner}</code></pre>`;
}

function checkbox(checked: boolean | undefined): string {
  return checked === undefined ? "" : checked ? "☑ " : "☐ ";
}

function alignment(align: string | undefined): string {
  return align === "left" || align === "right" || align === "center" ? ` class="${align}"` : "";
}
