import { defaultDeployment } from '@lanyard/accounts'
import { createEoaAccount } from '@lanyard/database'
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toStoredDeployment } from '../../src/domain/accounts/safe/safe-kind.ts'
import { writePolicyEdit } from '../../src/domain/gas-policies/live-policies.ts'
import { writePolicies } from '../policies-file.ts'
import { cliEngines, contextOf } from './cli-context.ts'
import { runInProcess } from './run-in-process.ts'

const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const shop = {
  id: 'shop',
  apiKeys: ['public:shop'],
  calls: [{ contract: token, functions: ['transfer(address,uint256)'] }],
  budgets: { day: { wei: '1000' } },
}
const partner = {
  id: 'partner',
  networks: [8453],
  budgets: { total: { wei: '5' } },
  paymaster: { url: 'https://paymaster.example/secret-of-the-partner' },
}

describe.each(cliEngines)('lanyard policies (%s)', (engine) => {
  let database: TestDatabase
  let env: Record<string, string>
  beforeAll(async () => {
    database = await freshDatabase(engine)
    env = {
      POLICIES_FILE: writePolicies(shop, partner, { id: 'nobody', effect: 'deny', users: ['mallory'] }),
    }
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test('default: check', async () => {
    const { code, stdout } = await runInProcess({ env }, 'policies', 'check')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '3 policies, no problems: shop, partner, nobody\n',
    })
  })

  test('error: check names the path of each problem', async () => {
    const POLICIES_FILE = writePolicies({ ...shop, budgets: {} }, { id: 'Two', effect: 'deny' })
    const { code, stderr } = await runInProcess({ env: { POLICIES_FILE } }, 'policies', 'check')
    expect(code).toBe(2)
    expect(stderr).toContain('policies.0.budgets: Limit what all accounts get together')
    expect(stderr).toContain('policies.1.id: Expected lower-case')
    const none = await runInProcess({}, 'policies', 'check')
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('POLICIES_FILE: needed')])
  })

  test('default: suspended and resume', async () => {
    const subject = 'caller:0123456789abcdef'
    const [since, until] = [new Date(), new Date(Date.now() + 3_600_000)]
    const row = { network: 8453, subject, reason: 'It was sent by others.', user_op_hash: '0x', since, until }
    await database.db.insertInto('sponsorship_suspensions').values(row).execute()
    const context = contextOf(database, env)
    const { stdout } = await runInProcess(context, 'policies', 'suspended')
    expect(stdout).toBe(`${subject}  network 8453  until ${until.toISOString()}  It was sent by others.\n`)
    expect((await runInProcess(context, 'policies', 'resume', subject)).code).toBe(0)
    expect((await runInProcess(context, 'policies', 'suspended')).stdout).toBe('Nobody is suspended.\n')
    const again = await runInProcess(context, 'policies', 'resume', subject)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is not suspended')])
  })

  test('default: list', async () => {
    await database.db
      .insertInto('sponsorship_days')
      .values({
        network: 8453,
        budget: 'policy:shop',
        day: 'total',
        taken: 700n,
        settled: 400n,
        operations: 3,
      })
      .execute()
    const { json, code } = await runInProcess(contextOf(database, env), 'policies', 'list', '--json')
    expect(code).toBe(0)
    expect(json()).toEqual({
      source: { kind: 'file', path: env.POLICIES_FILE },
      policies: [
        {
          id: 'shop',
          effect: 'allow',
          networks: [{ network: 8453, spent: '400', reserved: '300', promised: '0', operations: 3 }],
        },
        { id: 'partner', effect: 'allow', networks: [] },
        { id: 'nobody', effect: 'deny', networks: [] },
      ],
    })
  })

  test('default: show prints only the host of a paymaster', async () => {
    const { json, stdout } = await runInProcess(
      contextOf(database, env),
      ...['policies', 'show', 'partner', '--json'],
    )
    expect(json()).toMatchObject({
      policy: { id: 'partner', networks: [8453], paymaster: { url: 'paymaster.example', validity: 86400 } },
    })
    expect(stdout).not.toContain('secret-of-the-partner')
    const unknown = await runInProcess(contextOf(database, env), 'policies', 'show', 'nothing')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no policy nothing')])
  })

  test('default: explain', async () => {
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    await createEoaAccount(database.db, {
      address,
      eoaAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      deployment: toStoredDeployment(defaultDeployment),
      createdAt: new Date(),
    })
    const explain = (...more: string[]) =>
      runInProcess(
        contextOf(database, env),
        ...['policies', 'explain', '--network', '8453', '--account', address, '--json', ...more],
      )
    const paid = await explain('--api-key', 'public:shop', '--call', `${token}:0xa9059cbb`)
    expect(paid.json()).toEqual({
      source: { kind: 'file', path: env.POLICIES_FILE },
      policy: 'shop',
      policies: [
        { policy: 'shop', result: 'pays' },
        { policy: 'partner', result: 'not_reached', reason: 'An earlier policy decides.' },
        { policy: 'nobody', result: 'does_not_match', reason: 'It is for other users.' },
      ],
    })
    const batch = await explain('--api-key', 'public:shop', '--call', `${token}:0xa9059cbb`, '--call', token)
    expect(batch.json()).toMatchObject({
      policy: 'partner',
      policies: [{ reason: 'It is not for call 1.' }, { result: 'pays' }, {}],
    })
    expect((await explain('--call', 'nonsense')).code).toBe(2)

    const charging = { id: 'tokens', charge: { token: 'USDC', markup: 5.25 }, budgets: shop.budgets }
    const ofTokens = contextOf(database, { ...env, POLICIES_FILE: writePolicies(charging) })
    const inToken = (...more: string[]) =>
      runInProcess(ofTokens, ...['policies', 'explain', '--network', '8453', '--account', address, ...more])
    expect((await inToken('--fee-token', 'USDC')).stdout).toContain(
      'tokens takes USDC for the gas, within its budgets.',
    )
    expect((await inToken('--fee-token', 'DAI')).stdout).toContain('It takes another token.')
    expect((await inToken()).stdout).toContain('No policy pays.')
    const shown = await runInProcess(ofTokens, ...['policies', 'show', 'tokens', '--json'])
    expect(shown.json()).toMatchObject({ policy: { charge: { markup: 5.25 } } })
  })

  test('behavior: an edit of the console counts instead of the file, until it is discarded', async () => {
    const { db } = database
    const at = new Date('2026-11-26T07:00:00Z')
    const write = (policies: unknown, basedOn: number) =>
      db
        .transaction()
        .execute((transaction) =>
          writePolicyEdit(transaction, { policies, basedOn, editor: 'olga', now: at }),
        )
    const run = (...words: string[]) => runInProcess(contextOf(database, env), 'policies', ...words)
    await write(
      [
        { ...shop, budgets: { day: { wei: '7' } } },
        { ...partner, paymaster: 'file' },
      ],
      0,
    )
    const source = { kind: 'edit', number: 1, editor: 'olga', at: at.toISOString() }
    expect((await run('list', '--json')).json()).toMatchObject({
      source,
      policies: [{ id: 'shop' }, { id: 'partner' }],
    })
    expect((await run('list')).stdout).toContain(
      'In force: edit 1 by olga in the console, 2026-11-26T07:00:00.000Z, instead of POLICIES_FILE',
    )
    expect((await run('show', 'shop', '--json')).json()).toMatchObject({
      source,
      policy: { budgets: { day: { wei: '7' } } },
    })
    expect((await run('show', 'partner')).stdout).not.toContain('secret-of-the-partner')
    expect((await run('show', 'nobody')).stderr).toContain('There is no policy nobody')
    // The file is what the next start falls back to, so it can be checked by itself.
    expect((await run('check')).stdout).toContain('3 policies, no problems')

    const other = { ...env, POLICIES_FILE: writePolicies(shop) }
    const unfit = await runInProcess(contextOf(database, other), 'policies', 'list')
    expect([unfit.code, unfit.stderr]).toEqual([
      1,
      expect.stringContaining('POLICIES_FILE has no policy partner with a paymaster'),
    ])
    await write(undefined, 1)
    expect((await run('list', '--json')).json()).toMatchObject({ source: { kind: 'file' } })
  })
})
