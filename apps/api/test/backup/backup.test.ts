/** @module-tag all */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import { freshDatabase, testEngines } from '@lanyard/database/testing'
import { startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, type Hex, http, parseEther, publicActions } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import { type RestClient, restClient } from '../rest.ts'
import { startServiceProcess } from '../service-process.ts'
import { startConfigured } from '../start-configured.ts'

const cli = fileURLToPath(new URL('../../src/admin/cli/lanyard.ts', import.meta.url))
const runbook = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
const hasPrograms = ['pg_dump', 'pg_restore'].every(
  (program) => spawnSync(program, ['--version']).error === undefined,
)
const canRun = testEngines().includes('postgresql') && hasPrograms

/** The commands of a code block in docs/operations.md, with the local network instead of the runbook's. */
function commandsOf(name: string): string {
  const [, commands] = new RegExp(`^\`\`\`sh ${name}\\n(.*?)^\`\`\``, 'ms').exec(runbook) ?? []
  if (!commands) throw new Error(`docs/operations.md has no block of commands for ${name}.`)
  return commands.replaceAll('--network 8453', '--network 31337')
}

test.skipIf(!canRun)(
  `behavior: a service restored from the runbook's backup completes the operations in flight${canRun ? '' : ' (skipped: needs PostgreSQL with pg_dump and pg_restore)'}`,
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lanyard-backup-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    await using devnet = await startDevnet({ chainIds: [31337] })
    const networksFile = join(directory, 'networks.json')
    await writeNetworksFile(networksFile, devnet.networks)
    await using source = await freshDatabase('postgresql')
    await using target = await freshDatabase('postgresql', { migrated: false })
    const envOf = ({ url = '' }) => ({ NETWORKS_FILE: networksFile, DATABASE_URL: url })
    const chain = createTestClient({
      mode: 'anvil',
      transport: http(devnet.networks[0]?.rpcUrl),
    }).extend(publicActions)

    /** Runs the commands of the runbook unchanged. `pnpm lanyard` runs the CLI of this repository. */
    const runCommands = (name: string, database: { url?: string }) => {
      const shell = `set -eu\npnpm() { shift; "${process.execPath}" "${cli}" "$@"; }\n${commandsOf(name)}`
      const env = { ...envOf(database), PATH: process.env.PATH }
      const { status, stdout, stderr } = spawnSync('bash', ['-c', shell], {
        ...{ cwd: directory, env, encoding: 'utf8' },
      })
      expect(status, stdout + stderr).toBe(0)
      return stdout + stderr
    }

    const first = await startServiceProcess(envOf(source))
    onTestFinished(() => first.stop())
    const rest = restClient(first.url)
    const [early, flying, late] = await Promise.all([1, 2, 3].map(() => createAccount(rest)))
    if (!early || !flying || !late) throw new Error('Expected three accounts')
    for (const { address } of [early, flying, late])
      await chain.setBalance({ address, value: parseEther('1') })

    const finished = await buildAndSign(rest, early)
    expect(await submit(rest, finished)).toMatchObject({ status: 200, body: { success: true } })

    // From here on, the chain accepts transactions but mines no blocks.
    await chain.setIntervalMining({ interval: 0 })
    await chain.setAutomine(false)
    const inFlight = await buildAndSign(rest, flying)
    const afterwards = await buildAndSign(rest, late)
    const waiting = submit(rest, inFlight).catch(() => undefined)
    await expect.poll(() => stateOf(rest, inFlight.hash)).toMatchObject({ state: 'submitted' })
    runCommands('backup', source)

    // The backup does not contain this operation, nor the inclusion of the previous one.
    const unknown = submit(rest, afterwards).catch(() => undefined)
    await expect.poll(() => stateOf(rest, afterwards.hash)).toMatchObject({ state: 'submitted' })
    await expect
      .poll(async () => {
        await chain.mine({ blocks: 1 })
        const states = await Promise.all(
          [inFlight, afterwards].map(async ({ hash }) => (await stateOf(rest, hash)).state),
        )
        return states
      })
      .toEqual(['included', 'included'])
    await Promise.all([waiting, unknown])
    await first.stop()
    await chain.mine({ blocks: 64 })

    const restoreOutput = runCommands('restore', target)
    expect(restoreOutput, 'repair names the operation that has no row').toContain(afterwards.hash)
    await chain.setIntervalMining({ interval: 1 })
    await using second = await startConfigured(envOf(target))
    const again = restClient(second.url)
    for (const { hash } of [finished, inFlight]) {
      await expect
        .poll(() => stateOf(again, hash))
        .toMatchObject({ state: 'included', final: true, success: true })
    }
    for (const { address, hash } of [finished, inFlight, afterwards]) {
      const events = await inclusionsOf(chain, address)
      expect(events.map(({ args }) => args.userOpHash)).toEqual([hash])
    }
    // Every account continues with its next nonce, including the account whose operation the backup lacks.
    await chain.setAutomine(true)
    for (const account of [early, flying, late]) {
      const next = await buildAndSign(again, account)
      expect(await submit(again, next)).toMatchObject({ status: 200, body: { success: true } })
    }
  },
)

interface Account {
  readonly owner: PrivateKeyAccount
  readonly address: Hex
}

async function createAccount(rest: RestClient): Promise<Account> {
  const owner = privateKeyToAccount(randomPrivateKey())
  const { body } = await rest.post('/smart-account/create', { eoaAddress: owner.address })
  return { owner, address: body.wallet.scw_address }
}

async function buildAndSign(rest: RestClient, { owner, address }: Account) {
  const { body } = await rest.post('/smart-account/transaction/build', {
    network: '31337',
    walletAddress: address,
    transactionDetails: [{ targetContractAddress: owner.address, value: '1', encodedData: '0x' }],
  })
  const signature = await owner.signMessage({ message: { raw: body.messageToSign } })
  const result = fromWireUserOperation(body.userOp)
  if (!result.ok) throw new Error(result.message)
  return { address, signature, hash: getUserOperationHash(result.operation, { chainId: 31337 }) }
}

const submit = (rest: RestClient, { address, signature }: { address: Hex; signature: Hex }) =>
  rest.post('/smart-account/transaction/submit', { walletAddress: address, signature })

const stateOf = async (rest: RestClient, hash: Hex) =>
  (await rest.get(`/smart-account/transaction/status?userOpHash=${hash}`)).body
