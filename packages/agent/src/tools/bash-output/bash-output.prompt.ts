/** What the model reads of the bash-output tool; each byte is paid for in each request. */
export const bashOutputDescription = "New output and state of a background command since the last look.";
