/** True when digits (others are skipped) pass the test of Luhn, as the numbers of payment cards do. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  let double = false;
  for (const character of [...number].reverse()) {
    if (character < "0" || character > "9") continue;
    const digit = Number(character) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
    double = !double;
  }
  return sum % 10 === 0;
}

/** Digits each country's account numbers have, checks included (ISO 13616 registry). */
const IBAN_LENGTH: Readonly<Record<string, number>> = Object.fromEntries(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22
GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27
MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20`
    .split(/\s/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** True for an account number of its country's length whose check digits hold; spaces are skipped. */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(" ", "").toUpperCase();
  if (IBAN_LENGTH[plain.slice(0, 2)] !== plain.length) return false;
  let rest = 0;
  for (const character of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const CHINA_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** True for a Chinese resident id: a possible day of birth, and its check character. */
export function isChineseId(text: string): boolean {
  const [year, month, day] = [text.slice(6, 10), text.slice(10, 12), text.slice(12, 14)].map(Number);
  if (year! < 1900 || year! > 2099 || month! < 1 || month! > 12 || day! < 1 || day! > 31) return false;
  const sum = CHINA_WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return "10X98765432"[sum % 11] === text[17]!.toUpperCase();
}

/** True for a Brazilian CPF whose two check digits hold. */
export function isCpf(text: string): boolean {
  const digits = [...text.replace(/\D/g, "")].map(Number);
  if (new Set(digits).size === 1) return false;
  const check = (count: number): number => {
    const sum = digits
      .slice(0, count)
      .reduce((total, digit, index) => total + digit * (count + 1 - index), 0);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === digits[9] && check(10) === digits[10];
}

const ODD_PLACES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/** True for an Italian codice fiscale whose check letter holds. */
export function isCodiceFiscale(text: string): boolean {
  const worth = (character: string): number =>
    character >= "0" && character <= "9" ? Number(character) : character.charCodeAt(0) - 65;
  const sum = [...text.slice(0, 15)].reduce(
    (total, character, index) => total + (index % 2 === 0 ? ODD_PLACES[worth(character)]! : worth(character)),
    0,
  );
  return String.fromCharCode(65 + (sum % 26)) === text[15];
}

/** True for a French social security number with the key that belongs to it. */
export function isFrenchSecurityNumber(text: string): boolean {
  const plain = text.replaceAll(" ", "");
  return 97 - Number(BigInt(plain.slice(0, 13)) % 97n) === Number(plain.slice(13));
}
