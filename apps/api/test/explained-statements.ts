import { type OpenDatabase, openDatabase } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { sql } from 'kysely'

/** What one statement did, as reported by the server. */
export interface ExplainedStatement {
  readonly text: string
  readonly milliseconds: number
  /** Rows that its scans read, whether they matched or not. */
  readonly rows: number
  /** Pages that it read, from memory or disk. */
  readonly pages: number
  /** Tables that it scanned in full. */
  readonly scanned: readonly string[]
}

export interface ExplainedDatabase extends TestDatabase {
  /** The statements since the last call, including those of triggers and foreign keys. */
  take(): readonly ExplainedStatement[]
}

/**
 * A PostgreSQL database that reports the plan of each statement (`auto_explain`). `plans` selects plans for the
 * actual parameters, as behind a pooler, or the generic plans of named statements.
 */
export async function explainedDatabase(
  plans: 'auto' | 'force_generic_plan' = 'auto',
): Promise<ExplainedDatabase> {
  await using stack = new AsyncDisposableStack()
  const fresh = stack.use(await freshDatabase('postgresql'))
  const { url } = fresh
  if (!url) throw new TypeError('This fixture needs PostgreSQL')
  await enableAutoExplain(fresh, plans)
  const opened = stack.use(await openDatabase({ url, namedStatements: plans !== 'auto' }))
  const statements = await collectStatements(opened)
  const resources = stack.move()
  return {
    ...opened,
    url,
    take: () => statements.splice(0),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function enableAutoExplain({ db }: OpenDatabase, plans: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_nested_statements': 'on',
    plan_cache_mode: plans,
  }
  for (const [name, value] of Object.entries(settings)) {
    await sql.raw(`alter database ${rows[0]?.name} set ${name} = '${value}'`).execute(db)
  }
}

async function collectStatements({ pool }: OpenDatabase): Promise<ExplainedStatement[]> {
  const statements: ExplainedStatement[] = []
  const onNotice = ({ message = '' }: { message: string | undefined }) => {
    const [, milliseconds, plan] = /^duration: (\S+) ms {2}plan:\n(\{.*\})$/s.exec(message) ?? []
    if (plan !== undefined) statements.push(toStatement(JSON.parse(plan), Number(milliseconds)))
  }
  if (!pool) throw new TypeError('This fixture needs PostgreSQL')
  pool.on('connect', (client) => client.on('notice', onNotice))
  // `openDatabase` has already opened a connection, which is idle now.
  const first = await pool.connect()
  first.on('notice', onNotice)
  first.release()
  return statements
}

/** A node of a plan, as PostgreSQL writes it in JSON. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks'?: number
  readonly 'Shared Read Blocks'?: number
  readonly Plans?: readonly PlanNode[]
}

function toStatement(
  explained: { 'Query Text': string; Plan: PlanNode },
  milliseconds: number,
): ExplainedStatement {
  const nodes = flatten(explained.Plan)
  const scans = nodes.filter(
    (node) => /Scan$/.test(node['Node Type']) && /Index|Seq|Bitmap/.test(node['Node Type']),
  )
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = explained.Plan
  return {
    text: explained['Query Text'],
    milliseconds,
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    pages: hit + read,
    scanned: nodes.flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && node['Actual Loops'] !== 0 ? (node['Relation Name'] ?? []) : [],
    ),
  }
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

const rowsOf = ({
  'Actual Rows': rows = 0,
  'Rows Removed by Filter': filtered = 0,
  'Rows Removed by Index Recheck': rechecked = 0,
  'Actual Loops': loops = 0,
}: PlanNode) => (rows + filtered + rechecked) * loops
