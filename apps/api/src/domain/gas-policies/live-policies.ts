import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import { describeIssue } from '../../platform/errors/describe-issue.ts'
import { type GasPolicy, policiesFile } from './gas-policy.ts'
import { type KnownNetwork, problemsOf } from './read-policies-file.ts'

/** Milliseconds after which every process has read an edit. */
const interval = 5_000

/** In an edit, the paymaster of the policy of that id in POLICIES_FILE: its address and context may hold keys. */
const ofFile = 'file'

interface PolicyEdit {
  readonly number: number
  readonly editor: string
  readonly at: Date
}

/** The policies of a process: those of the last edit in the console, otherwise those that it started with. */
export interface LivePolicies {
  /** The same object for the life of the process: an edit replaces what is in it. */
  readonly list: readonly GasPolicy[]
  /** Those that it started with, which count while there is no edit. */
  readonly started: readonly GasPolicy[]
  /** Undefined while the policies are those of the file. */
  readonly edit: () => PolicyEdit | undefined
  /** The number of the last edit, also of one that returned to the file; 0 without any. */
  readonly number: () => number
  /** Reads the last edit. One that this process cannot use changes nothing, and is logged. */
  refresh(): Promise<void>
  /** Refreshes regularly until it is closed. */
  start(): { close(): Promise<void> }
  /** @throws INVALID_INPUT naming every problem of the draft */
  parse(text: string): readonly GasPolicy[]
}

interface Dependencies {
  readonly database: Kysely<Database>
  readonly networks: readonly KnownNetwork[]
  readonly log: Logger
  /** Called with policies that an edit brought, before they count. */
  readonly onEdit: (policies: readonly GasPolicy[]) => void
}

export async function openPolicies(
  started: readonly GasPolicy[],
  { database, networks, log, onEdit }: Dependencies,
): Promise<LivePolicies> {
  const list = [...started]
  let number = 0
  let edit: PolicyEdit | undefined

  const parse = (text: string) => parseDraft(text, { started, networks })

  async function refresh(): Promise<void> {
    const row = await readLastEdit(database)
    if (row === undefined || row.number === number) return
    try {
      const next = row.policies === null ? started : parse(JSON.stringify({ policies: row.policies }))
      onEdit(next)
      list.splice(0, list.length, ...next)
      edit =
        row.policies === null ? undefined : { number: row.number, editor: row.editor, at: row.created_at }
      number = row.number
      log.info({ edit: row.number, policies: next.map(({ id }) => id) }, 'the gas policies changed')
    } catch (error) {
      log.error({ err: error, edit: row.number }, 'an edit of the gas policies does not fit this process')
    }
  }

  function start() {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= refresh()
        .catch((error: unknown) => log.warn({ err: error }, 'the gas policies could not be read'))
        .finally(() => {
          running = undefined
        })
    }, interval)
    timer.unref()
    return {
      async close() {
        clearInterval(timer)
        await running
      },
    }
  }

  await refresh()
  return { list, started, edit: () => edit, number: () => number, refresh, start, parse }
}

const readLastEdit = (database: Kysely<Database>) =>
  database.selectFrom('gas_policy_edits').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()

/** The policies in force, and the edit that they come from; undefined if they are those of the file. */
interface PoliciesInForce {
  readonly policies: readonly GasPolicy[]
  readonly edit: PolicyEdit | undefined
}

/**
 * The policies that count in the processes of a service, for a command that is none of them.
 *
 * @param started - those of POLICIES_FILE
 * @param networks - absent: chain ids are not checked
 * @throws INVALID_INPUT if the edit in force does not fit the file or the networks
 */
export async function readPoliciesInForce(
  database: Kysely<Database>,
  started: readonly GasPolicy[],
  networks?: readonly KnownNetwork[],
): Promise<PoliciesInForce> {
  const row = await readLastEdit(database)
  if (!row || row.policies === null) return { policies: started, edit: undefined }
  const policies = parseDraft(JSON.stringify({ policies: row.policies }), { started, networks })
  return { policies, edit: { number: row.number, editor: row.editor, at: row.created_at } }
}

/**
 * Writes an edit.
 *
 * @param policies - undefined: the file counts again
 * @param basedOn - the edit that its author saw
 * @returns the number of the edit
 * @throws INVALID_INPUT if somebody else was faster
 */
export async function writePolicyEdit(
  transaction: Transaction<Database>,
  {
    policies,
    basedOn,
    editor,
    now,
  }: {
    readonly policies: unknown
    readonly basedOn: number
    readonly editor: string
    readonly now: Date
  },
): Promise<number> {
  const last = transaction
    .selectFrom('gas_policy_edits')
    .select(({ fn, val }) => fn.coalesce(fn.max('number'), val(0)).as('number'))
  const written = await transaction
    .insertInto('gas_policy_edits')
    .columns(['number', 'policies', 'editor', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom(last.as('last'))
        .select([
          sql<number>`last.number + 1`.as('number'),
          sql<unknown>`${policies === undefined ? null : JSON.stringify(policies)}::jsonb`.as('policies'),
          sql<string>`${editor}::text`.as('editor'),
          sql<Date>`${now}::timestamptz`.as('created_at'),
        ])
        .where('last.number', '=', basedOn),
    )
    // Of two that were based on the same one, the second waits for the first, and finds its number taken.
    .onConflict((conflict) => conflict.doNothing())
    .returning('number')
    .executeTakeFirst()
  if (written) return written.number
  throw changedMeanwhile()
}

export const changedMeanwhile = () =>
  new LanyardError('INVALID_INPUT', {
    message: 'Somebody else changed the policies meanwhile. Load them again, and repeat your change.',
  })

/** Policies as an edit has them: without what only the file may say. */
export const toDraft = (policies: readonly GasPolicy[]): string =>
  JSON.stringify(
    { policies },
    (key, value: unknown) => {
      if (typeof value === 'bigint') return value.toString()
      if (value instanceof Set) return [...value]
      return key === 'paymaster' && value !== undefined ? ofFile : value
    },
    2,
  )

/** The list of a draft, as `gas_policy_edits` stores it. Only after {@link LivePolicies.parse}. */
export const listOfDraft = (text: string): unknown => (JSON.parse(text) as { policies: unknown }).policies

function parseDraft(
  text: string,
  {
    started,
    networks,
  }: { readonly started: readonly GasPolicy[]; readonly networks?: readonly KnownNetwork[] | undefined },
): readonly GasPolicy[] {
  const document = parseJson(text)
  const problems: { path: string; message: string }[] = []
  for (const [index, policy] of policiesOf(document).entries()) {
    const { paymaster, id } = policy
    if (paymaster === undefined) continue
    const declared = started.find((one) => one.id === id)
    const path = `policies.${index}.paymaster`
    if (paymaster !== ofFile) {
      problems.push({ path, message: `Expected "${ofFile}": only POLICIES_FILE may name a paymaster` })
    } else if (declared?.effect !== 'allow' || declared.paymaster === undefined) {
      problems.push({ path, message: `POLICIES_FILE has no policy ${String(id)} with a paymaster` })
    } else {
      policy.paymaster = declared.paymaster
    }
  }
  const parsed = policiesFile.safeParse(document, { error: describeIssue })
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) problems.push({ path: path.join('.'), message })
  } else if (networks) {
    for (const [index, policy] of parsed.data.policies.entries()) {
      for (const message of problemsOf(policy, index, networks)) problems.push({ path: '', message })
    }
  }
  if (problems.length === 0 && parsed.success) return parsed.data.policies
  throw new LanyardError('INVALID_INPUT', {
    issues: problems,
    message: problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('. '),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LanyardError('INVALID_INPUT', {
      message: `The draft is not valid JSON: ${error instanceof Error ? error.message : ''}`,
    })
  }
}

/** The objects in a document's list, before anything is known of it. */
function policiesOf(document: unknown): Record<string, unknown>[] {
  const list: unknown = Reflect.get(Object(document), 'policies')
  if (!Array.isArray(list)) return []
  return list.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
}
