/** @module-tag all */
// @promise 22

import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../src/domain/accounts/api-keys/manage-api-keys.ts'
import { localRelayers } from '../../src/platform/keys/role-keys.ts'
import { ask, type HttpService, postJson, startHttpService } from '../http-service.ts'
import { type OrderService, sign, startOrderService } from '../orders/order-service.ts'

let service: HttpService
beforeAll(async () => {
  service = await startHttpService()
})
afterAll(() => service?.[Symbol.asyncDispose]())

/** The samples of one metric as `name{labels}` → value. */
function samples(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(name.length, end), Number(line.slice(end + 1))]
    }),
  )
}

const read = async (url = service.url) => (await ask(`${url}/metrics`)).text

test('default: metrics count calls by procedure and status, and requests by transport', async () => {
  await read()
  await ask(`${service.url}/networks`)
  await ask(`${service.url}/trpc/system.networks`)
  await ask(`${service.url}/user?username=nobody`)
  await ask(`${service.url}/user`)
  await ask(`${service.url}/nothing`)
  const { text, headers } = await ask(`${service.url}/metrics`)
  expect(headers.get('content-type')).toContain('text/plain; version=0.0.4')
  expect(samples(text, 'lanyard_call_duration_seconds_count')).toMatchObject({
    '{procedure="system.networks",status="200"}': 2,
    '{procedure="user.details",status="404"}': 1,
    '{procedure="user.details",status="400"}': 1,
  })
  expect(samples(text, 'lanyard_http_requests_total')).toMatchObject({
    '{transport="rest",status="200"}': 1,
    '{transport="rest",status="404"}': 1,
    '{transport="trpc",status="200"}': 1,
    '{transport="page",status="404"}': 1,
  })
  expect(samples(text, 'process_resident_memory_bytes')).not.toEqual({})
})

test('behavior: callers cannot create labels', async () => {
  await ask(`${service.url}/trpc/made.up`)
  await ask(`${service.url}/trpc/system.networks,made.up2?batch=1&input={}`)
  expect(await read()).not.toContain('made')
})

test('behavior: open operations, their age, the reconcile lag and the queues come from the database', async () => {
  const { db } = service.database
  const account = '0x00000000000000000000000000000000000000aa'
  await db
    .insertInto('users')
    .values({
      id: '00000000-0000-4000-8000-000000000001',
      kind: 'eoa',
      username: 'a',
      username_key: 'a',
      created_at: new Date(),
    })
    .execute()
  await db
    .insertInto('accounts')
    .values({
      address: account,
      user_id: '00000000-0000-4000-8000-000000000001',
      eoa_address: account,
      deployment: '{}',
      created_at: new Date(),
    })
    .execute()
  const signed = new Date(Date.now() - 7_200_000)
  await db
    .insertInto('operations')
    .values({
      user_op_hash: `0x${'1'.repeat(64)}`,
      safe_op_hash: `0x${'2'.repeat(64)}`,
      account,
      network: 4242, // the worker does not serve this network
      entry_point: account,
      nonce_key: 0n,
      nonce_sequence: 0n,
      user_op: '{}',
      valid_after: 0,
      valid_until: 0,
      sign_mode: 'ECDSA',
      value: 0n,
      deploys: false,
      state: 'submitting',
      built_at: signed,
      build_expires_at: signed,
      signature: '0x',
      signed_at: signed,
      next_attempt_at: new Date(Date.now() - 3_600_000),
    })
    .execute()
  const userOpHash = `0x${'1'.repeat(64)}`
  await ask(`${service.url}/smart-account/transaction/status?userOpHash=${userOpHash}`)
  expect(service.logged.findLast(({ msg }) => msg === 'request')).toMatchObject({ userOpHash, status: 200 })

  const text = await read()
  expect(samples(text, 'lanyard_open_operations')).toEqual({ '{network="4242",state="submitting"}': 1 })
  const [age] = Object.values(samples(text, 'lanyard_oldest_waiting_operation_seconds'))
  const [lag] = Object.values(samples(text, 'lanyard_reconcile_lag_seconds'))
  expect(age).toBeGreaterThanOrEqual(7_200)
  expect(lag).toBeGreaterThanOrEqual(3_600)
  expect(lag).toBeLessThan(7_200)
  const passes = Object.keys(samples(text, 'lanyard_passes_total'))
  expect(passes).toContain(`{pass="reconcile-${service.node.chainId}",outcome="failed"}`)
})

test('behavior: network failures are counted, and the other metrics are available without the database', async () => {
  await using other = await startHttpService()
  await read(other.url)
  const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const { body } = await postJson(`${other.url}/smart-account/create`, { eoaAddress: owner })
  await other.node.stop()
  await postJson(`${other.url}/smart-account/transaction/gas-fees`, {
    network: String(other.node.chainId),
    walletAddress: body.wallet.scw_address,
    transactionDetails: [{ targetContractAddress: owner, value: '1', encodedData: '0x' }],
  })
  const failures = samples(await read(other.url), 'lanyard_network_failures_total')
  const network = other.node.chainId
  expect(
    failures[`{network="${network}",part="rpc",code="NETWORK_UNAVAILABLE"}`],
    JSON.stringify(failures),
  ).toBeGreaterThan(0)
  await other.database.close()
  await read(other.url)
  const text = await read(other.url) // a failure during one read shows in the next
  expect(samples(text, 'lanyard_metric_failures_total')['{metric="open_operations"}']).toBeGreaterThanOrEqual(
    1,
  )
  expect(samples(text, 'lanyard_call_duration_seconds_count')).not.toEqual({})
})

test('behavior: a component can add a gauge; a label that has gone disappears', async () => {
  let networks = [1, 2]
  service.service.services.metrics.addGauge({
    name: 'test_units',
    help: 'Units available to lend',
    labels: ['network'],
    read: async () => networks.map((network) => ({ labels: { network }, value: network * 10 })),
  })
  expect(samples(await read(), 'lanyard_test_units')).toEqual({
    '{network="1"}': 10,
    '{network="2"}': 20,
  })
  networks = [2]
  expect(samples(await read(), 'lanyard_test_units')).toEqual({ '{network="2"}': 20 })
})

test('behavior: if API keys are required, /metrics takes a secret key', async () => {
  const secret = 'a-secret-of-32-characters-xxxxxx'
  await using closed = await startHttpService({ API_KEYS: `prometheus:${secret}` })
  const page = 'https://app.example'
  const app = { kind: 'publishable', name: 'app', origins: [page] } as const
  const { key } = await createApiKey(closed.database.db, app, new Date())
  const status = async (headers: Record<string, string>) =>
    (await ask(`${closed.url}/metrics`, { headers })).status
  expect(await status({})).toBe(401)
  expect(await status({ 'x-forwarded-for': '127.0.0.1' })).toBe(401)
  expect(await status({ 'x-api-key': key, origin: page })).toBe(403)
  expect(await status({ authorization: `Bearer ${secret}` })).toBe(200)
})

describe('a service with a smart balance, and no attestors', () => {
  const [source, output] = [31337, 31338] as const
  let orders: OrderService
  let wallet: Awaited<ReturnType<OrderService['createFunded']>>
  beforeAll(async () => {
    orders = await startOrderService({
      chainIds: [source, output],
      environment: {
        ...{ ROLES: 'api,worker,settler,topUp', DATABASE_URL: 'postgresql://brought-along' },
        AUDIT_FILE: '/dev/null',
      },
    })
    wallet = await orders.createFunded([source])
  })
  afterAll(() => orders?.[Symbol.asyncDispose]())

  const readOrders = () => orders.service.services.metrics.text()

  test('behavior: every series of a counter is shown before its first event', async () => {
    await using idle = await startOrderService({ chainIds: [source, output] })
    const text = await idle.service.services.metrics.text()
    const counters = [...text.matchAll(/^# TYPE (lanyard_\w+) counter/gm)].map(([, name = '']) => name)
    expect(counters.length).toBeGreaterThan(15)
    const onlyIfConfigured = ['lanyard_relayer_refills_total', 'lanyard_signer_failures_total']
    const absent = counters.filter((name) => Object.keys(samples(text, name)).length === 0)
    expect(absent).toEqual(onlyIfConfigured)
    for (const [name, some] of [
      ['lanyard_rpc_unconfirmed_total', `{network="${source}",reason="disagree"}`],
      ['lanyard_sponsorship_suspensions_total', `{network="${source}",reason="foreign"}`],
      ['lanyard_network_failures_total', `{network="${output}",part="rpc",code="NETWORK_UNAVAILABLE"}`],
      ['lanyard_network_circuit_openings_total', `{network="${source}",endpoint="1"}`],
      ['lanyard_policy_refusals_total', `{policy="",reason="no_policy"}`],
      ['lanyard_metric_failures_total', `{metric="open_operations"}`],
      ['lanyard_http_requests_total', `{transport="rest",status="429"}`],
      ['lanyard_calls_total', `{procedure="smartAccount.build",status="503"}`],
    ] as const)
      expect([name, samples(text, name)[some]]).toEqual([name, 0])
  })

  test('behavior: the documentation names every metric of the service and no other', async () => {
    const documented = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const text = await readOrders()
    const metrics = [...text.matchAll(/^# TYPE (lanyard_\w+) (\w+)/gm)].map(([, name = '', type]) => ({
      name,
      type,
    }))
    expect(metrics.length).toBeGreaterThanOrEqual(20)
    expect(metrics.filter(({ name }) => !documented.includes(`\`${name}\``))).toEqual([])
    const exported = new Set(
      metrics.flatMap(({ name, type }) => (type === 'histogram' ? [name, `${name}_count`] : [name])),
    )
    const named = [...documented.matchAll(/\b(?:lanyard|process|nodejs)_\w+/g)].map(([name]) => name)
    const runtimeMetrics = [...text.matchAll(/^# HELP ((?:process|nodejs)_\w+)/gm)].map(([, name]) => name)
    const isExported = (name: string) =>
      exported.has(name) ||
      runtimeMetrics.some((one) => one === name || (name.endsWith('_') && one?.startsWith(name)))
    expect(named.filter((name) => !isExported(name))).toEqual([])
  })

  test('behavior: rules, their tests and the dashboard use existing metrics and labels', async () => {
    const [documented, rules, ruleTests, dashboard] = await Promise.all(
      [
        'docs/operations.md',
        'deploy/monitoring/alerts.yaml',
        'deploy/monitoring/alerts.test.yaml',
        'deploy/monitoring/dashboard.json',
      ].map((path) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')),
    )
    const text = await readOrders()
    const types = new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = '', type = '']) => [name, type]),
    )
    const labels = new Map(
      [...(documented ?? '').matchAll(/^\| `(lanyard_\w+)` \| ([^|]*) \|/gm)].map(
        ([, name = '', list = '']) => [name, list.trim() ? list.trim().split(', ') : []],
      ),
    )
    // The documented labels include all labels of the samples.
    for (const [, name = '', list = ''] of text.matchAll(/^(lanyard_\w+)\{([^}]*)\}/gm)) {
      const own = labels.get(name.replace(/_(bucket|count|sum)$/, '')) ?? []
      const found = [...list.matchAll(/(\w+)="/g)].map(([, label]) => label)
      expect([name, found.filter((label) => label !== 'le' && !own.includes(label ?? ''))]).toEqual([
        name,
        [],
      ])
    }

    const ruleExpressions = [...(rules ?? '').matchAll(/^ +expr: (.+)$/gm)].map(
      ([, expression = '']) => expression,
    )
    const panels: { targets: { expr: string }[] }[] = JSON.parse(dashboard ?? '').panels
    const panelExpressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(panelExpressions.length).toBeGreaterThan(15)
    for (const expression of [...ruleExpressions, ...panelExpressions]) {
      if (/^(absent\()?up\{/.test(expression)) continue // Prometheus itself knows who answers
      const names = [...expression.matchAll(/\b(?:lanyard|process|nodejs)_\w+/g)].map(([name]) => name)
      expect([expression, names.length]).not.toEqual([expression, 0])
      const known = new Set(['le', 'instance', 'job'])
      for (const name of names) {
        const family = types.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')
        expect([name, types.has(family)]).toEqual([name, true])
        for (const label of labels.get(family) ?? []) known.add(label)
      }
      const used = [
        ...[...expression.matchAll(/(\w+)\s*=~?"/g)].map(([, label = '']) => label),
        ...[...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
      ]
      expect([expression, used.filter((label) => !known.has(label))]).toEqual([expression, []])
    }

    // What the rules' own tests feed to them looks like what the service shows.
    const exported = new Map<string, Set<string>>()
    for (const [, name = '', list = ''] of text.matchAll(/^(lanyard_\w+)\{([^}]*)\}/gm)) {
      const found = [...list.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
      exported.set(name, new Set([...(exported.get(name) ?? []), ...found]))
    }
    for (const [, name = '', list = ''] of (ruleTests ?? '').matchAll(
      /series: '((?:lanyard|nodejs)_\w+)\{([^}]*)\}/g,
    )) {
      const family = types.has(name) ? name : name.replace(/_(bucket|count|sum)$/, '')
      expect([name, types.has(family)]).toEqual([name, true])
      const added = new Set(['instance', 'job', 'le']) // by Prometheus
      const known = exported.get(name) ?? new Set(labels.get(family))
      const given = [...list.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
      const own = given.filter((label) => !added.has(label))
      expect([name, own]).toEqual([name, [...known].filter((label) => !added.has(label))])
    }
  })

  test('behavior: gauges show the gas balances of relayers and settlers on each network', async () => {
    const text = await readOrders()
    for (const [metric, labels] of [
      ['lanyard_relayer_balance_wei', `,relayer="${localRelayers[0]}"`],
      ['lanyard_settler_balance_wei', ''],
    ] as const) {
      const balances = samples(text, metric)
      expect(Object.keys(balances)).toEqual(
        [source, output].map((network) => `{network="${network}"${labels}}`),
      )
      for (const balance of Object.values(balances)) expect(balance).toBeGreaterThan(0)
    }
  })

  test('behavior: an order without attestations ages and counts as lent', async () => {
    const { body } = await orders.buildSolution({
      walletAddress: wallet.address,
      outputNetwork: output,
      amount: '50000000',
    })
    const signature = await sign.raw(wallet.owner, body.messageToSign)
    expect(await orders.submit({ walletAddress: wallet.address, signature })).toMatchObject({ status: 200 })
    const claimed = `{network="${output}",state="CLAIMED"}`
    await expect
      .poll(async () => samples(await readOrders(), 'lanyard_open_orders'))
      .toEqual({ [claimed]: 1 })
    orders.advance(3_600_000)
    const text = await readOrders()
    const age = samples(text, 'lanyard_oldest_unproven_order_seconds')[`{network="${output}"}`]
    expect(age).toBeGreaterThanOrEqual(3_600)
    expect(samples(text, 'lanyard_lent_units')[`{network="${output}"}`]).toBe(50_000_000)
  })
})
