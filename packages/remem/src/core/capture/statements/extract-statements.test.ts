import { expect, test } from "bun:test";
import { extractStatements } from "./extract-statements.ts";

test.each([
  ["Remember that the staging host is gimli.", "fact", "the staging host is gimli."],
  ["Please remember: always run the linter first.", "preference", "always run the linter first."],
  ["Hey, remember that releases are on Fridays.", "fact", "releases are on Fridays."],
  ["Could you please remember that the staging host is gimli?", "fact", "the staging host is gimli."],
  ["I want you to remember that the staging host is gimli.", "fact", "the staging host is gimli."],
  ["Save to memory: the staging host is gimli.", "fact", "the staging host is gimli."],
  ["Remember: the api is at https://gimli.test/?v=2", "fact", "the api is at https://gimli.test/?v=2"],
  ["Remember: when tests fail, look into logs/", "fact", "when tests fail, look into logs/"],
  ["Remember to always run the linter first.", "fact", "to always run the linter first."],
  ["Remember this:\nthe staging host is gimli", "fact", "the staging host is gimli"],
  ["We don't use npm anymore.", "decision", "We don't use npm anymore."],
  ["From now on use tabs.", "preference", "From now on use tabs."],
  ["Запомни: сервер называется gimli.", "fact", "сервер называется gimli."],
  ["Ricorda che il server è gimli.", "fact", "il server è gimli."],
  ["Zapamiętaj, że serwer to gimli.", "fact", "serwer to gimli."],
  ["Onthoud dat de server gimli is.", "fact", "de server gimli is."],
  ["기억해: 서버 이름은 gimli입니다.", "fact", "서버 이름은 gimli입니다."],
  ["Always use tabs in this repository.", "preference", "Always use tabs in this repository."],
  ["I prefer short answers without tables.", "preference", "I prefer short answers without tables."],
  ["Use pnpm, not npm.", "preference", "Use pnpm, not npm."],
  ["We decided to ship on Thursdays.", "decision", "We decided to ship on Thursdays."],
  ["We moved from npm to pnpm.", "decision", "We moved from npm to pnpm."],
  ["No, we use Postgres.", "decision", "No, we use Postgres."],
  ["The api port is 8080.", "fact", "The api port is 8080."],
  ["Actually, the api port is 9090.", "fact", "Actually, the api port is 9090."],
  ["Merk dir, dass der Server gimli heißt.", "fact", "der Server gimli heißt."],
  ["Immer zuerst die Tests laufen lassen.", "preference", "Immer zuerst die Tests laufen lassen."],
  ["Wir haben uns für SQLite entschieden.", "decision", "Wir haben uns für SQLite entschieden."],
  ["N'oublie pas que le serveur est gimli.", "fact", "le serveur est gimli."],
  ["Je préfère les réponses courtes.", "preference", "Je préfère les réponses courtes."],
  ["Nous avons décidé de livrer le jeudi.", "decision", "Nous avons décidé de livrer le jeudi."],
  ["Recuerda que el servidor se llama gimli.", "fact", "el servidor se llama gimli."],
  ["Siempre usa tabuladores en este proyecto.", "preference", "Siempre usa tabuladores en este proyecto."],
  ["Hemos decidido publicar los jueves.", "decision", "Hemos decidido publicar los jueves."],
  ["Lembre-se de que o servidor é gimli.", "fact", "o servidor é gimli."],
  ["Prefiro respostas curtas.", "preference", "Prefiro respostas curtas."],
  ["Decidimos publicar às quintas.", "decision", "Decidimos publicar às quintas."],
  ["记住：服务器叫 gimli。", "fact", "服务器叫 gimli。"],
  ["以后都用制表符缩进。", "preference", "以后都用制表符缩进。"],
  ["我们决定使用 SQLite。", "decision", "我们决定使用 SQLite。"],
  ["今後はタブでインデントしてください。", "preference", "今後はタブでインデントしてください。"],
  ["SQLiteを使うことにしました。", "decision", "SQLiteを使うことにしました。"],
])("%p is a statement [B-CORE-05]", (prompt, kind, text) => {
  expect(extractStatements(prompt)).toMatchObject([{ kind, text }]);
});

test.each([
  ["a question", "Should we always use tabs?"],
  ["a question of another language", "Sollen wir immer Tabs verwenden?"],
  ["a supposition", "If we always use tabs, the diff grows."],
  ["a maybe", "Maybe we use Postgres for this later."],
  ["a wish of this moment", "We use Postgres just this once for the demo."],
  ["reported speech", "Tom said we always use tabs."],
  ["what a document says", "According to the docs we use port 9090 for metrics."],
  ["what a README says", "The README says we use pnpm for installs."],
  ["a denial", "I don't think we use pnpm now."],
  ["a denial of what was said", "I was wrong when I said we use pnpm now."],
  ["a thing that is not so", "It is not true that we use pnpm now."],
  ["what was not decided", "We haven't decided to use pnpm yet."],
  ["what was not decided, in another language", "Wir haben nicht entschieden, ob wir pnpm nutzen."],
  ["a game", "Pretend that we decided to use Rust."],
  ["a theory", "Hypothetically, we use MySQL now."],
  ["what would have been", "Had we decided to use pnpm, all would be well."],
  ["an example", "For example, we use npm now."],
  ["another project", "In my other project we use yarn now."],
  ["a tutorial", "In the tutorial we use npm instead of pnpm."],
  ["a text to be written", "Write a README that tells why we use pnpm instead of npm."],
  ["a quotation in single signs", "Put 'we use pnpm instead of npm' into the README"],
  ["a question without its sign", "We decided to use pnpm, right"],
  ["a state of this moment", "The build is broken again."],
  ["a line of a chat", "[10:22] tom: we decided to use npm"],
  ["a turn of another talk", "Assistant: we decided to use npm"],
  ["what was told", "My sister told me we decided to use Rust."],
  ["what is waved aside", "Never mind that."],
  ["a joke that is taken back", "We use COBOL for everything now. Just kidding."],
  ["fenced text", "Look:\n```\nAlways use tabs.\nWe use npm.\n```\nwhat is this"],
  ["an unclosed fence", "Look:\n```\nAlways use tabs.\nWe use npm."],
  ["a quoted line", "> Always use tabs.\n\nwhat do you think of that"],
  ["a quotation", 'The linter prints "Always use tabs in this repository" and stops'],
  ["a recalled memory", '<recalled-memory trust="untrusted">\nAlways use tabs.\n</recalled-memory>\ngo on'],
  ["a recalled memory that was cut off", "<recalled-memory>\nWe use npm for everything.\n"],
  ["a tagged block", "<system-reminder>\nAlways use tabs.\n</system-reminder>\nfix it"],
  ["a log", "2026-01-01T10:00:00 INFO We use port 9090\nERROR The api port is 9090."],
  ["an order for now", "Rename the parser and run the tests."],
  ["small talk", "let's move to the next file and use it again"],
  ["remembering", "Remember when we broke the build and everybody laughed."],
  [
    "a pasted page",
    [
      "Contributing to this project is easy and everyone is welcome to join",
      "Always use tabs for indentation in every file of this repository",
      "We use npm for everything and we never use yarn in this place",
      "The api port is 8080 and it is never to be changed by anyone",
      "Please open an issue before you open a pull request of any size",
      "We decided to merge with rebase only, so keep the history linear",
      "Thank you for reading all of this until the very end of the page",
    ].join("\n"),
  ],
])("%s gives no statement [R03] [B-CORE-05]", (_, prompt) => {
  expect(extractStatements(prompt)).toEqual([]);
});

test("a prompt of a few own sentences gives each of them, at most eight, each once", () => {
  const prompt = "Fix the parser. We use pnpm now. Never touch the lock file by hand. We use pnpm now.";
  expect(extractStatements(prompt).map(({ text }) => text)).toEqual([
    "We use pnpm now.",
    "Never touch the lock file by hand.",
  ]);
  const many = Array.from({ length: 20 }, (_, index) => `The port of service ${index} is ${index}.`).join(
    " ",
  );
  expect(extractStatements(many)).toHaveLength(8);
});

test("a list below a request to remember is remembered line by line, and what follows it is not [B-CORE-05]", () => {
  const prompt = "Remember:\n- releases are on Fridays\n- the staging host is gimli\nNow fix the parser";
  expect(extractStatements(prompt)).toMatchObject([
    { asked: true, text: "releases are on Fridays" },
    { asked: true, text: "the staging host is gimli" },
  ]);
});

test.each([
  ["We use npm.", "We moved to pnpm."],
  ["The api port is 8080.", "Actually, the api port is 9090."],
  ["Use tabs, not spaces.", "I prefer 2 spaces over tabs."],
  ["Always use jest.", "We switched from jest to vitest."],
  ["Unsere API-Adresse ist gimli.", "Die API-Adresse ist legolas."],
  ["Notre serveur est gimli.", "Le serveur est legolas."],
  ["本项目的包管理器是npm。", "本项目的包管理器是pnpm。"],
])("%p and %p are on one subject, so that the newer one holds [R11]", (older, newer) => {
  const subject = (text: string): string | undefined => extractStatements(text)[0]?.subject;
  expect(subject(older)).toBeDefined();
  expect(subject(newer)).toBe(subject(older)!);
});

test.each([
  ["We use pnpm.", "We use Postgres."],
  ["The api port is 8080.", "The admin port is 9090."],
  ["Always react to review comments.", "Always write a test first."],
])("%p and %p stand side by side [R11]", (one, other) => {
  const subjects = [one, other].map((text) => extractStatements(text)[0]?.subject);
  expect(subjects[0] === undefined || subjects[0] !== subjects[1]).toBe(true);
});
