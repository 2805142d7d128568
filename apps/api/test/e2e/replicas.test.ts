/** @module-tag all */
// @promise 5
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { localTransport, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey, reportFigure } from '@lanyard/testing'
import { createTestClient, type Hex, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

/** Replicas share only PostgreSQL, so the test needs it. */
test.skipIf(!testEngines().includes('postgresql'))(
  'behavior: three replicas on one PostgreSQL never use a lane twice and never send twice, even if one is killed',
  async () => {
    await using devnet = await startDevnet({ chainIds: [31337] })
    await using database = await freshDatabase('postgresql')
    const directory = await mkdtemp(join(tmpdir(), 'lanyard-replicas-'))
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    const env = { NETWORKS_FILE: networksFile, DATABASE_URL: database.url ?? '' }
    const [dying, ...living] = await Promise.all([
      startServiceProcess(env),
      startConfigured(env),
      startConfigured(env),
    ])
    const replicas = [...living, dying]
    try {
      const clients = replicas.map(({ url }) => restClient(url))
      const [first, second] = clients as [RestClient, RestClient, RestClient] // there are three replicas
      const chain = createTestClient({
        mode: 'anvil',
        transport: localTransport(devnet.networks[0]?.rpcUrl),
      }).extend(publicActions)

      // Concurrent requests for one EOA create one account.
      const owner = privateKeyToAccount(randomPrivateKey())
      const created = await Promise.all(
        clients.map((rest) => rest.post('/smart-account/create', { eoaAddress: owner.address })),
      )
      expect(new Set(created.map(({ body }) => body.username)).size).toBe(1)
      const account: Hex = created[0]?.body.wallet.scw_address
      await chain.setBalance({ address: account, value: parseEther('10') })

      const build = async (rest: RestClient) => {
        const { body } = await rest.post('/smart-account/transaction/build', {
          network: '31337',
          walletAddress: account,
          transactionDetails: [{ targetContractAddress: owner.address, value: '1', encodedData: '0x' }],
        })
        const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
        return { nonce: body.userOp.nonce as string, submission: { walletAddress: account, signature } }
      }
      const deployment = await build(first)
      expect(await second.post('/smart-account/transaction/submit', deployment.submission)).toMatchObject({
        status: 200,
      })

      const built = await Promise.all(
        Array.from({ length: 12 }, (_, index) => build(clients[index % 3] as RestClient)),
      )
      expect(new Set(built.map(({ nonce }) => nonce)).size).toBe(12)

      // Each signature goes to two replicas at once. The third is killed in the meantime.
      const submit = (rest: RestClient, submission: object) =>
        rest.post('/smart-account/transaction/submit', submission)
      const answers = built.map(({ submission }) =>
        Promise.all([submit(first, submission), submit(second, submission)]),
      )
      const lost = submit(clients[2] as RestClient, built[0]?.submission ?? {}).catch(() => 'lost')
      dying.child.kill('SIGKILL')
      await lost
      for (const [one, other] of await Promise.all(answers)) {
        expect(one).toMatchObject({ status: 200, body: { success: true } })
        expect(other).toEqual(one)
      }
      const events = await inclusionsOf(chain, account)
      expect(events).toHaveLength(13)
      reportFigure(5, 'operations that two replicas submitted at once, each once on chain', built.length)
    } finally {
      await Promise.all(replicas.map((replica) => replica.stop()))
      await rm(directory, { recursive: true })
    }
  },
)
