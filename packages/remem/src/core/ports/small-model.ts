/** A small model of the host's, used behind the work. The host counts its tokens. */
export interface SmallModel {
  /**
   * The answer to one prompt, text only, no tools. Rejects when the model cannot answer, or when the host's own limit is
   * reached. `maxTokens` bounds the answer.
   */
  complete(
    prompt: string,
    options: { readonly maxTokens: number; readonly signal: AbortSignal },
  ): Promise<string>;
}
