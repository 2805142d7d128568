/** @module-tag all */
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { localTransport } from '@lanyard/devnet'
import { createTestClient, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { startDevnetInFolder } from '../devnet-in-folder.ts'
import { inclusionsOf } from '../inclusions-of.ts'
import { startConfigured } from '../start-configured.ts'
import { newRpcAccount, payee, prepare, publicClientOf, sendRpc, waitForReceipt } from './rpc-client.ts'

const rounds = 6

test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: if two operations with the same nonce are sent to two replicas at once, one is accepted and the other refused',
  async () => {
    await using devnet = await startDevnetInFolder({ chainIds: [31337] })
    await using database = await freshDatabase('postgresql')
    await using stack = new AsyncDisposableStack()
    const env = { NETWORKS_FILE: devnet.networksFile, DATABASE_URL: database.url ?? '' }
    const [one, two] = await Promise.all([startConfigured(env), startConfigured(env)])
    stack.use(one)
    stack.use(two)
    const urls = [one, two].map(({ url }) => `${url}/rpc/31337`) as [string, string]

    const rpcUrl = devnet.networks[0]?.rpcUrl
    const client = publicClientOf(rpcUrl)
    const { account } = await newRpcAccount(client)
    await createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl) }).setBalance({
      address: account.address,
      value: parseEther('10'),
    })

    const included: string[] = []
    for (let round = 0; round < rounds; round++) {
      const nonce = await account.getNonce()
      const callDatas = await Promise.all(
        [1n, 2n].map((value) => account.encodeCalls([{ to: payee, value: value + BigInt(round) }])),
      )
      const conflicting = await Promise.all(
        callDatas.map((callData) => prepare(account, { nonce, callData })),
      )
      // Each operation goes to both replicas at once. In the first round both operations deploy the account.
      const sent = conflicting.flatMap((operation) => urls.map((url) => ({ operation, url })))
      const answers = await Promise.all(sent.map(({ operation, url }) => sendRpc(url, operation)))
      const results = answers.flatMap((answer) => answer.result ?? [])
      const errors = answers.flatMap(({ error }) => error ?? [])
      expect([new Set(results).size, results.length], JSON.stringify(answers)).toEqual([1, 2])
      for (const error of errors) expect(error).toMatchObject({ code: -32500, data: { code: 'REBUILD' } })
      const [result] = results
      expect(await waitForReceipt(urls[round % 2] ?? '', client, result)).toMatchObject({ success: true })
      included.push(result)
    }
    const events = await inclusionsOf(client, account.address)
    expect(events.map(({ args }) => args.userOpHash)).toEqual(included)
    const rows = await database.db
      .selectFrom('operations')
      .select(['user_op_hash', 'state'])
      .where('signature', 'is not', null)
      .execute()
    expect(rows.map(({ user_op_hash }) => user_op_hash).sort()).toEqual(included.toSorted())
  },
)
