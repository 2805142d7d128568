import type { Act, Actor } from '../../platform/audit/record-act.ts'

/** Writes an act into the audit log, within its transaction. Whoever passes it adds who acts, and from where. */
export type WriteAct = (act: Omit<Act, keyof Actor>) => Promise<void>
