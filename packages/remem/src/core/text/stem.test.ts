import { expect, test } from "bun:test";
import { openConnection } from "../../store/sqlite/driver.ts";
import { stem } from "./stem.ts";

const WORDS =
  `caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling
  hissing fizzed failing filing happy sky relational conditional rational valenci hesitanci digitizer conformabli radicalli
  differentli vileli analogousli vietnamization predication operator feudalism decisiveness hopefulness callousness formaliti
  sensitiviti sensibiliti triplicate formative formalize electriciti electrical hopeful goodness revival allowance inference
  airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologou communism activate
  angulariti homologous effective bowdlerize probate rate cease controll roll yes dying news apologies generalizations
  oscillators running runner migrations migrated databases`.split(/\s+/);

test("gives the stems that SQLite's porter tokenizer gives", async () => {
  const connection = await openConnection(":memory:");
  connection.run("CREATE VIRTUAL TABLE t USING fts5(word, tokenize='porter unicode61')");
  connection.run("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)");
  for (const word of WORDS) connection.prepare("INSERT INTO t(word) VALUES(?)").run(word);
  const expected = connection
    .prepare("SELECT term FROM v ORDER BY doc")
    .all()
    .map((row) => row["term"]);
  connection.close();
  expect(WORDS.map(stem)).toEqual(expected as string[]);
});

test("leaves short words and other alphabets as they are", () => {
  expect(["is", "naïve", "собаки", "3rd"].map(stem)).toEqual(["is", "naïve", "собаки", "3rd"]);
});
