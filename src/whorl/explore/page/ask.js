// Questions to the server.

export class AskError extends Error {
  /** `column` is where in what a user wrote the mistake is, from 1. */
  constructor({ message, hint = null, column = null }) {
    super(message);
    this.hint = hint;
    this.column = column;
  }
}

/** The answer to a question; AskError with what the server says is wrong with it. */
export async function ask(question, body) {
  let response;
  try {
    response = await fetch(question, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new AskError({ message: "whorl explore does not answer: has it ended?" });
  }
  const answer = await response.json().catch(() => ({ error: { message: `the answer has no meaning (${response.status})` } }));
  if (answer.error) throw new AskError(answer.error);
  return answer;
}
