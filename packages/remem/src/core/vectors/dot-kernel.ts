/**
 * The one loop that is worth machine code: dot products of one int8 vector with many, 16 lanes at a time. It is written
 * down here as WebAssembly instructions, so that no binary file has to be trusted. In WebAssembly text it reads:
 *
 *   (func (export "dot") (param $query i32) (param $rows i32) (param $out i32) (param $count i32) (param $width i32)
 *     (loop $row
 *       acc = 0; k = 0
 *       (loop $lane  acc += dot(query[k..k+16], rows[k..k+16]); k += 16; while k < width)
 *       out[0] = the four lanes of acc; rows += width; out += 4; count -= 1; while count > 0))
 */
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I32_CONST = 0x41;
const I32_ADD = 0x6a;
const I32_SUB = 0x6b;
const I32_LT_U = 0x49;
const I32_STORE = 0x36;
const LOOP = 0x03;
const BRANCH_IF = 0x0d;
const END = 0x0b;
const VOID = 0x40;
const I32 = 0x7f;
const V128 = 0x7b;
const SIMD = 0xfd;
const V128_LOAD = [SIMD, 0x00, 0x00, 0x00];
const V128_ZERO = [SIMD, 0x0c, ...new Array<number>(16).fill(0)];
const EXTEND_LOW = [SIMD, 0x87, 0x01];
const EXTEND_HIGH = [SIMD, 0x88, 0x01];
const DOT_I16 = [SIMD, 0xba, 0x01];
const ADD_I32X4 = [SIMD, 0xae, 0x01];
const lane = (index: number): number[] => [SIMD, 0x1b, index];
const get = (local: number): number[] => [LOCAL_GET, local];

const [QUERY, ROWS, OUT, COUNT, WIDTH, K, ACC, A, B] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const LANES = 16;

const addressed = (base: number): number[] => [...get(base), ...get(K), I32_ADD, ...V128_LOAD];
const half = (extend: readonly number[]): number[] => [
  ...get(ACC),
  ...get(A),
  ...extend,
  ...get(B),
  ...extend,
  ...DOT_I16,
  ...ADD_I32X4,
  LOCAL_SET,
  ACC,
];
const advance = (local: number, by: readonly number[]): number[] => [
  ...get(local),
  ...by,
  I32_ADD,
  LOCAL_SET,
  local,
];

const BODY = [
  LOOP,
  VOID,
  ...V128_ZERO,
  LOCAL_SET,
  ACC,
  I32_CONST,
  0,
  LOCAL_SET,
  K,
  LOOP,
  VOID,
  ...addressed(QUERY),
  LOCAL_SET,
  A,
  ...addressed(ROWS),
  LOCAL_SET,
  B,
  ...half(EXTEND_LOW),
  ...half(EXTEND_HIGH),
  ...get(K),
  I32_CONST,
  LANES,
  I32_ADD,
  LOCAL_TEE,
  K,
  ...get(WIDTH),
  I32_LT_U,
  BRANCH_IF,
  0,
  END,
  ...get(OUT),
  ...get(ACC),
  ...lane(0),
  ...get(ACC),
  ...lane(1),
  I32_ADD,
  ...get(ACC),
  ...lane(2),
  I32_ADD,
  ...get(ACC),
  ...lane(3),
  I32_ADD,
  I32_STORE,
  2,
  0,
  ...advance(ROWS, get(WIDTH)),
  ...advance(OUT, [I32_CONST, 4]),
  ...get(COUNT),
  I32_CONST,
  1,
  I32_SUB,
  LOCAL_TEE,
  COUNT,
  BRANCH_IF,
  0,
  END,
  END,
];

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest > 0 ? byte | 0x80 : byte);
  } while (rest > 0);
  return bytes;
}

const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];
const text = (value: string): number[] => [value.length, ...[...value].map((letter) => letter.charCodeAt(0))];

const LOCALS = [2, 1, I32, 3, V128];
const FUNCTION = [...LOCALS, ...BODY];
const MAXIMUM_PAGES = 65_536;
const MODULE = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
  ...section(3, [1, 0]),
  ...section(5, [1, 1, 1, ...unsigned(MAXIMUM_PAGES)]),
  ...section(7, [2, ...text("memory"), 2, 0, ...text("dot"), 0, 0]),
  ...section(10, [1, ...unsigned(FUNCTION.length), ...FUNCTION]),
]);

/** A kernel with its own memory. Addresses are bytes into it; `width` is a multiple of 16, `count` at least 1. */
export interface DotKernel {
  readonly memory: WebAssembly.Memory;
  /** Writes `count` int32 dot products of the vector at `query` with the rows at `rows` to `out`. */
  dot(query: number, rows: number, out: number, count: number, width: number): void;
}

let compiled: WebAssembly.Module | undefined;

/** A fresh kernel. Compiling it takes well under a millisecond, once. */
export function createDotKernel(): DotKernel {
  compiled ??= new WebAssembly.Module(MODULE);
  const exports = new WebAssembly.Instance(compiled).exports;
  return { memory: exports["memory"] as WebAssembly.Memory, dot: exports["dot"] as DotKernel["dot"] };
}
