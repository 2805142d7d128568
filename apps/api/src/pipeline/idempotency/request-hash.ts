import { createHash } from 'node:crypto'
import { configure } from 'safe-stable-stringify'

/** Members are sorted; amounts, which are bigint after parsing, are written as numbers of any length. */
const stringify = configure({ bigint: true, deterministic: true, strict: true })

/**
 * SHA-256 of a parsed input, hex. The parsed form lets a retry write the same request differently: `eip155:1`
 * for `1`, an address in lower case, members in another order, over the other transport.
 */
export const hashRequest = (input: unknown): string =>
  createHash('sha256')
    .update(stringify(input) ?? '')
    .digest('hex')
