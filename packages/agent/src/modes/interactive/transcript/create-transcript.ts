import { Transcript, type TranscriptPorts } from "./transcript.ts";

/** The transcript of one interactive session, empty; the owner puts it into a `ScrollView` and attaches that. */
export function createTranscript(ports: TranscriptPorts): Transcript {
  return new Transcript(ports);
}
