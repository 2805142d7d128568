import { createHash } from 'node:crypto'
import type { AuditLogRow } from '@lanyard/database'
import { configure } from 'safe-stable-stringify'

/** One act in the audit log, as it is exported: one line of JSON. */
export interface AuditEntry {
  /** 1, 2, 3, … without gaps. */
  readonly position: number
  /** ISO 8601, by the database's clock. */
  readonly at: string
  /** Who acted: `cli:alice`, `console:alice`, `service:api,worker`. */
  readonly actor: string
  /** From where: a host, or a prefix of an address. */
  readonly source: string
  /** `key.create` */
  readonly act: string
  /** What was acted on; empty if the act says all. */
  readonly subject: string
  /** JSON; null: there was nothing before. */
  readonly before: unknown
  /** JSON; null: there is nothing any more. */
  readonly after: unknown
  /**
   * Who that is at the identity provider, or that it was a break-glass operator. Absent otherwise, so that those entries
   * have the hashes that they had before there was this member.
   */
  readonly identity?: unknown
  /** The hash of the entry before, or 64 zeros. */
  readonly previousHash: string
  /** SHA-256, hex, of the JSON of the other members: sorted, without spaces (RFC 8785). */
  readonly hash: string
}

/** The hash before the first entry. */
export const noHash = '0'.repeat(64)

/** Members are sorted, so that a value that the database has kept as `jsonb` has the same text again. */
const stringify = configure({ deterministic: true, strict: true })

/** The text of a value; amounts become decimal strings. */
export const canonicalJson = (value: unknown): string =>
  stringify(
    JSON.parse(
      JSON.stringify(value ?? null, (_, member) => (typeof member === 'bigint' ? String(member) : member)),
    ),
  ) ?? 'null'

export const hashEntry = (entry: Omit<AuditEntry, 'hash'>): string =>
  createHash('sha256').update(canonicalJson(entry)).digest('hex')

export const toEntry = ({ previous_hash, at, ...row }: AuditLogRow): AuditEntry => ({
  position: row.position,
  at: at.toISOString(),
  actor: row.actor,
  source: row.source,
  act: row.act,
  subject: row.subject,
  before: row.before,
  after: row.after,
  ...(row.identity !== null && { identity: row.identity }),
  previousHash: previous_hash,
  hash: row.hash,
})
