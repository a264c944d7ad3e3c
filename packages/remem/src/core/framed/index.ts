export { type FramedPiece, framedPieces, onlyPieces } from "./framed-pieces.ts";
