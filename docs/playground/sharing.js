// A model and its options in the part of an address after `#`, which no server is sent.

async function through(stream, bytes) {
  const source = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(source).arrayBuffer());
}

// The fragment of a model's text and of options, which are strings by name.
export async function fragment(model, options) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(model));
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const text = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `#${new URLSearchParams({ ...options, model: text })}`;
}

// The options of a fragment, with `model` as text again. Throws an error where that is damaged.
export async function opened(hash) {
  const found = Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
  if (found.model !== undefined) {
    const letters = atob(found.model.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = await through(new DecompressionStream("deflate-raw"), bytes);
    found.model = new TextDecoder("utf-8", { fatal: true }).decode(text);
  }
  return found;
}
