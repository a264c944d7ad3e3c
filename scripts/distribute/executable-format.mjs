// Whether a file is an executable for a platform, as far as that can be seen without running it there.
import { signatureFault } from "./mach-o-signature.mjs";

const ELF = { x64: 0x3e, arm64: 0xb7 };
const MACH_O = { x64: 0x01000007, arm64: 0x0100000c };
const PE = { x64: 0x8664 };

/** By Node's name of the system: whether the bytes begin as its executables do, for this processor. */
const HEADERS = {
  linux: (bytes, cpu) =>
    bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2 && bytes.readUInt16LE(18) === ELF[cpu],
  darwin: (bytes, cpu) =>
    bytes.readUInt32LE(0) === 0xfeedfacf &&
    bytes.readUInt32LE(4) === MACH_O[cpu] &&
    bytes.readUInt32LE(12) === 2,
  win32: (bytes, cpu) => {
    const header = bytes.readUInt32LE(0x3c);
    return (
      bytes.toString("latin1", 0, 2) === "MZ" &&
      bytes.toString("latin1", header, header + 4) === "PE\0\0" &&
      bytes.readUInt16LE(header + 4) === PE[cpu]
    );
  },
};

/**
 * What is wrong with an executable: another system or processor, a file missing that must be inside (`contents`: name to bytes), a signature
 * that macOS would refuse. Undefined when nothing is.
 */
export function executableFault(bytes, { os, cpu, name }, contents = {}) {
  try {
    if (!HEADERS[os](bytes, cpu)) return `it is no executable for ${name}`;
    for (const [file, content] of Object.entries(contents))
      if (!bytes.includes(content)) return `${file} is not inside`;
    return os === "darwin" ? signatureFault(bytes) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return `it is cut short or broken: ${error.message}`;
    throw error;
  }
}
