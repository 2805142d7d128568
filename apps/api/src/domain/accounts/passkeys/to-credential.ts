import type { CredentialRow } from '@lanyard/database'
import { readTransports } from './transports.ts'

/** A passkey as its user sees it. */
export const toCredential = (row: CredentialRow) => ({
  credentialId: row.id,
  label: row.label,
  backedUp: row.backed_up,
  transports: readTransports(row.transports),
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})
