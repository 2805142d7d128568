/** Shorter texts are no secrets, and would black out words. */
const leastLength = 8

/** What stands in place of a secret. */
const blank = '[hidden]'

/** Every secret of this process, as it would stand in JSON. */
const hidden = new Set<string>()
let known: RegExp | undefined

/** What is secret by its form: API keys, whose ids may be shown, secrets of webhooks, and tokens of users (RFC 7519). */
const keyForm = /\b(lk_(?:secret|public)_[\w-]{8})[\w-]{43}\b/g
const webhookForm = /\bwhsec_[\w+/=-]{16,}/g
const tokenForm = /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g

const escapeForPattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * From now on no line of the log has these texts. Process-wide, since what one part of a process knows another part
 * may log: an RPC's address stands in the stack of whatever failed over it.
 */
export function hideSecrets(texts: Iterable<string>): void {
  for (const text of texts) {
    if (text.length < leastLength) continue
    hidden.add(text)
    hidden.add(JSON.stringify(text).slice(1, -1))
  }
  // Longer ones first: a part of a secret must not leave the rest of it standing.
  const patterns = [...hidden].sort((a, b) => b.length - a.length).map(escapeForPattern)
  known = patterns.length > 0 ? new RegExp(patterns.join('|'), 'gi') : undefined
}

/** A text without secrets: those that were named, and what looks like a key or a token. */
export function withoutSecrets(text: string): string {
  const unnamed = known ? text.replace(known, blank) : text
  return unnamed.replace(keyForm, `$1${blank}`).replace(webhookForm, blank).replace(tokenForm, blank)
}
