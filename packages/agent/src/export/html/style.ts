/** The style of an exported page. Colours follow the reader's system, or the button. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --bg: #fdfdfc; --fg: #1c1d1f; --dim: #63666d; --line: #dfe0e3; --card: #f5f5f4; --user: #eaf1fb; --link: #1657b8; --ok: #1a7a3c; --bad: #b3261e; --hit: #ffe58a; --here: #ffb454; --add: #e3f6e8; --del: #fce8e6; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --bg: #17181a; --fg: #e4e4e2; --dim: #9a9da4; --line: #34363a; --card: #202225; --user: #1e2a3c; --link: #8ab4f8; --ok: #6dcf8b; --bad: #f28b82; --hit: #6b5600; --here: #a06000; --add: #17361f; --del: #44201d; } }
:root[data-theme=dark] { color-scheme: dark; --bg: #17181a; --fg: #e4e4e2; --dim: #9a9da4; --line: #34363a; --card: #202225; --user: #1e2a3c; --link: #8ab4f8; --ok: #6dcf8b; --bad: #f28b82; --hit: #6b5600; --here: #a06000; --add: #17361f; --del: #44201d; }
:root[data-theme=light] { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 1.5rem 0 .5rem; }
h3, h4, h5, h6 { margin: 1rem 0 .4rem; font-size: 1.05rem; }
a { color: var(--link); }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 1rem; padding: 0; list-style: none; color: var(--dim); font-size: .85rem; }
.facts b { font-weight: 600; color: var(--fg); }
.warn { color: var(--bad); }
nav { position: sticky; top: 0; z-index: 1; background: var(--bg); border-bottom: 1px solid var(--line); }
nav div { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; max-width: 60rem; margin: 0 auto; padding: .5rem 1rem; }
nav input { flex: 1 1 12rem; min-width: 0; font: inherit; padding: .3rem .6rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
nav button { font: inherit; font-size: .85rem; padding: .3rem .7rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
nav output { color: var(--dim); font-size: .85rem; min-width: 5rem; }
article { content-visibility: auto; contain-intrinsic-size: auto 6rem; margin: 1rem 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid transparent; }
article.user { background: var(--user); border-color: var(--link); border-radius: 0 .5rem .5rem 0; padding: .5rem .9rem; }
article.note { color: var(--dim); font-size: .9rem; border-color: var(--line); }
.who { display: flex; gap: .8rem; align-items: baseline; font-size: .8rem; font-weight: 600; color: var(--dim); text-decoration: none; }
.who time { font-weight: 400; }
.said { white-space: pre-wrap; margin: .2rem 0; }
pre { margin: .6rem 0; padding: .6rem .8rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .4rem; font: .82rem/1.5 ui-monospace, monospace; white-space: pre-wrap; max-height: 40rem; overflow-y: auto; }
code { font: .88em ui-monospace, monospace; background: var(--card); border-radius: .25rem; padding: .05em .3em; }
pre code { font: inherit; background: none; padding: 0; }
pre .add { display: block; background: var(--add); } pre .del { display: block; background: var(--del); }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .4rem; }
details > summary { padding: .35rem .7rem; cursor: pointer; font-size: .88rem; }
details > summary code { color: var(--dim); }
details > div { padding: 0 .7rem .3rem; }
details.thinking > div { color: var(--dim); font-size: .92rem; }
details.branch { border-style: dashed; border-color: var(--link); }
.state { float: right; font-size: .8rem; color: var(--ok); } .failed .state { color: var(--bad); } .none .state { color: var(--dim); }
blockquote { margin: .6rem 0; padding-left: .8rem; border-left: 3px solid var(--line); color: var(--dim); }
.table { overflow-x: auto; } table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; } .right { text-align: right; } .center { text-align: center; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: .4rem; display: block; margin: .5rem 0; }
footer { color: var(--dim); font-size: .8rem; padding-bottom: 3rem; }
::highlight(hit) { background-color: var(--hit); } ::highlight(here) { background-color: var(--here); }
[hidden] { display: none !important; }
@media print { nav { display: none; } pre { max-height: none; } article { content-visibility: visible; } }
`;
