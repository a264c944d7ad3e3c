import { expect, test } from "bun:test";
import { findPersonalData } from "./personal-data.ts";

const found = (text: string): string[] =>
  findPersonalData(text).map(({ rule, start, end }) => `${rule} ${text.slice(start, end)}`);

test("addresses, numbers of telephones, accounts and cards, and national ids are found [A-MEM-09]", () => {
  expect(
    [
      "write to jane.doe+x@acme-shop.co.uk.",
      "Автор: анна@почта.рф",
      "call +49 (30) 1234-5678 now",
      "or (212) 736-5000, or 212-736-5001",
      "Tel: 030 12345678",
      "手机：138 0013 8000",
      "IBAN DE89 3704 0044 0532 0130 00",
      "GB29NWBK60161331926819",
      "card 4111 1111 1111 1112 is wrong, 4012 8888 8888 1881 is not",
      "ssn 123-45-6789",
      "NINO AB 12 34 56 C",
      "id 11010519491231002X",
      "cpf 529.982.247-25",
      "cf RSSMRA85T10A562S",
    ].map((text) => found(text).join(", ")),
  ).toEqual([
    "email jane.doe+x@acme-shop.co.uk",
    "email анна@почта.рф",
    "phone +49 (30) 1234-5678",
    "phone (212) 736-5000, phone 212-736-5001",
    "phone 030 12345678",
    "phone 138 0013 8000",
    "iban DE89 3704 0044 0532 0130 00",
    "iban GB29NWBK60161331926819",
    "credit-card 4012 8888 8888 1881",
    "national-id 123-45-6789",
    "national-id AB 12 34 56 C",
    "national-id 11010519491231002X",
    "national-id 529.982.247-25",
    "national-id RSSMRA85T10A562S",
  ]);
});

test("versions, addresses of machines, packages and numbers of every day are none [A-MEM-09]", () => {
  expect(
    [
      "git@github.com:acme/shop.git and ssh://git@host.acme.dev/x",
      "react@18.2.0, icon@2x.png, user@example.com, bot@users.noreply.github.com",
      "10.0.0.12, 203.0.113.7, 2001:db8::1",
      "+1234567890\n+ 12 lines",
      "2026-11-30 17:43:51, 20261130174351, 1,234,567.89",
      "4111 1111 1111 1112",
      "DE00 3704 0044 0532 0130 00",
      "000-12-3456, 666-12-3456, 123-00-4567",
      "529.982.247-26, 111.111.111-11",
      "110105194912310021",
      "555-0100 and (555) 555-0123",
    ].flatMap(found),
  ).toEqual([]);
});

test("personal data stay where the user wants them kept [A-MEM-09]", async () => {
  const { createScreen } = await import("../create-screen.ts");
  const kept = createScreen({ personalData: false });
  expect((await kept.screen("jane@acme.dev, DB_PASSWORD=hunter2")).text).toBe(
    "jane@acme.dev, DB_PASSWORD=[redacted:environment-secret]",
  );
});
