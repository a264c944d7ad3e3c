/**
 * The script of an exported page: search with marks, folding, and the choice of colours. It is the same for every page and never
 * handles content as anything but text.
 */
export const PAGE_SCRIPT = `"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const [input, count, fold, theme] = [$("search"), $("count"), $("fold"), $("theme")];
  const main = document.querySelector("main");
  const articles = [...document.querySelectorAll("article")];
  const MOST = 5000;
  let hits = [], at = -1, opened = [];
  const mark = (name, ranges) => {
    if (!("highlights" in CSS)) return;
    if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges)); else CSS.highlights.delete(name);
  };
  const reveal = (node) => {
    for (let up = node.parentElement; up && up !== main; up = up.parentElement)
      if (up.tagName === "DETAILS" && !up.open) { up.open = true; opened.push(up); }
  };
  const go = (step) => {
    if (!hits.length) return;
    at = (at + step + hits.length) % hits.length;
    reveal(hits[at].startContainer);
    mark("here", [hits[at]]);
    hits[at].startContainer.parentElement.scrollIntoView({ block: "center" });
    count.value = (at + 1) + " of " + hits.length + (hits.length === MOST ? "+" : "");
  };
  const search = () => {
    for (const each of opened) each.open = false;
    opened = []; hits = []; at = -1;
    mark("hit", []); mark("here", []);
    const words = input.value.toLowerCase();
    for (const article of articles) article.hidden = words !== "" && !article.textContent.toLowerCase().includes(words);
    count.value = "";
    if (words === "") return;
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node && hits.length < MOST; node = walker.nextNode()) {
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (let found = text.indexOf(words); found >= 0 && hits.length < MOST; found = text.indexOf(words, found + words.length)) {
        const range = document.createRange();
        range.setStart(node, found); range.setEnd(node, found + words.length);
        hits.push(range);
      }
    }
    mark("hit", hits);
    if (hits.length) go(1); else count.value = articles.some((each) => !each.hidden) ? "" : "nothing found";
  };
  let waiting;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); go(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { input.value = ""; search(); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) { event.preventDefault(); input.focus(); }
  });
  fold.addEventListener("click", () => {
    const all = [...document.querySelectorAll("details")];
    const open = !all.some((each) => each.open);
    for (const each of all) each.open = open;
    fold.textContent = open ? "Fold all" : "Unfold all";
  });
  theme.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.querySelector("nav").hidden = false;
})();
`;
