import { hostname, userInfo } from 'node:os'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { ActContext } from '../../acts/act.ts'
import { type Act, type Actor, recordAct } from '../../platform/audit/record-act.ts'
import { readCliEnv } from '../../platform/environment/env.ts'
import { openCliDatabase } from './open-cli-database.ts'
import { terminal } from './terminal.ts'

/** Who runs the command, and on which host. */
function cliActor(): Actor {
  const { env } = terminal()
  const name = readCliEnv(env).AUDIT_ACTOR ?? env.SUDO_USER ?? userName()
  return { actor: `cli:${name}`, source: hostname() }
}

/** A container may run as a user id without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Runs an act of a command in a transaction of its own. */
export const runCliAct = <T>(
  { db }: { readonly db: Kysely<Database> },
  work: (act: ActContext) => Promise<T>,
): Promise<T> =>
  db.transaction().execute((transaction) =>
    work({
      transaction,
      now: new Date(),
      record: async (act) => void (await recordAct(transaction, { ...cliActor(), ...act })),
    }),
  )

/** Terminals that were told. */
const told = new WeakSet<object>()

/**
 * For a command that works without the service's database: records the act if DATABASE_URL names one, and
 * otherwise says that nothing was recorded.
 */
export async function recordOutsideTransaction(act: Omit<Act, keyof Actor>): Promise<void> {
  const { env, database } = terminal()
  if (!database && readCliEnv(env).DATABASE_URL === undefined) {
    if (!told.has(terminal()))
      terminal().stderr('DATABASE_URL is not set: this is not in the audit log of the service.\n')
    told.add(terminal())
    return
  }
  await using opened = await openCliDatabase()
  await runCliAct(opened, ({ record }) => record(act))
}
