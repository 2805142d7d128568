/** Shorter texts are not secrets, and hiding them would remove ordinary words. */
const minLength = 8

/** Replacement for a secret. */
const blank = '[hidden]'

/** Every secret of this process, in its JSON form. */
const hidden = new Set<string>()
let known: RegExp | undefined

/**
 * Texts that are secret by their format: API keys, whose ids may be shown, secrets of webhooks, and tokens of
 * users (RFC 7519).
 */
const keyForm = /\b(lk_(?:secret|public)_[\w-]{8})[\w-]{43}\b/g
const webhookForm = /\bwhsec_[\w+/=-]{16,}/g
const tokenForm = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g

const escapeForPattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * From now on, no log line contains these texts. This applies to the whole process, since a secret that one
 * part knows may be logged by another: an RPC's address appears in the stack of any error of a request to it.
 */
export function hideSecrets(texts: Iterable<string>): void {
  for (const text of texts) {
    if (text.length < minLength) continue
    hidden.add(text)
    hidden.add(JSON.stringify(text).slice(1, -1))
  }
  // Longer texts first: replacing a part of a secret must not leave the rest visible.
  const patterns = [...hidden].sort((a, b) => b.length - a.length).map(escapeForPattern)
  known = patterns.length > 0 ? new RegExp(patterns.join('|'), 'gi') : undefined
}

/** A text without secrets: the registered ones, and texts that look like a key or a token. */
export function withoutSecrets(text: string): string {
  const unnamed = known ? text.replace(known, blank) : text
  return unnamed.replace(keyForm, `$1${blank}`).replace(webhookForm, blank).replace(tokenForm, blank)
}
