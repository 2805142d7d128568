/** @module-tag all */

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { networksFile, substituteVariables } from '@lanyard/networks'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, postJson } from '../http-service.ts'
import { type ConfiguredService, startConfigured } from '../start-configured.ts'
import { blockOf } from './block-of.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
const read = (guide: string) => readFile(join(root, 'docs/guides', guide), 'utf8')

/** The blocks of the guides run as shown; the Python one and the agent's are in `readme.test.ts`. */
describe('docs/guides', () => {
  let service: ConfiguredService
  beforeAll(async () => {
    service = await startConfigured({})
  })
  afterAll(() => service?.stop())

  /** Runs a program in a package, which decides what it can import. */
  const runIn = (directory: string, program: string) =>
    run(process.execPath, ['--input-type=module-typescript', '--eval', program], {
      cwd: join(root, directory),
    })

  test('behavior: an EOA keeps its address', async () => {
    const key = generatePrivateKey()
    const eoaAddress = privateKeyToAddress(key)
    await postJson(`${service.url}/smart-account/create`, { eoaAddress, type: 'eip7702' })
    await postJson(`${service.url}/wallet/faucet`, { walletAddress: eoaAddress, network: '31337' })
    const block = blockOf(await read('keep-your-address.md'), 'delegated')
    const { stdout } = await runIn(
      'examples/first-transaction',
      `import { privateKeyToAccount } from 'viem/accounts'
      const signer = privateKeyToAccount('${key}')
      const transactionDetails = [{ targetContractAddress: signer.address, encodedData: '0x', value: '1' }]
      ${block.replace('http://127.0.0.1:3000', service.url)}
      console.log({ success, txnHash })`,
    )
    expect(stdout).toMatch(/success: true,\s+txnHash: '0x[0-9a-f]{64}'/)
  })

  test('behavior: an existing Safe is enabled, imported, and pays', async () => {
    const key = generatePrivateKey()
    const { body } = await ask(`${service.url}/networks`)
    const { rpcUrl } = body.networks[0]
    const guide = await read('use-a-safe-you-have.md')
    const program = `import { createLanyardClient, send, verifyExistingSafe } from '@lanyard/client'
      import { defaultDeployment, encodeExecTransaction } from '@lanyard/accounts'
      import { safeAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
      import { createTestClient, encodeFunctionData, http, parseEther, publicActions, walletActions, zeroAddress } from 'viem'
      import { privateKeyToAccount } from 'viem/accounts'
      import { anvil } from 'viem/chains'
      const signer = privateKeyToAccount('${key}')
      const client = createTestClient({ chain: anvil, mode: 'anvil', account: signer, transport: http('${rpcUrl}') })
        .extend(publicActions).extend(walletActions)
      await client.setBalance({ address: signer.address, value: parseEther('1') })
      const initializer = encodeFunctionData({ abi: safeAbi, functionName: 'setup',
        args: [[signer.address], 1n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress] })
      const create = { address: defaultDeployment.factory, abi: safeProxyFactoryAbi,
        functionName: 'createProxyWithNonce', args: [defaultDeployment.singleton, initializer, 5n] }
      const { result: safe } = await client.simulateContract(create)
      await client.waitForTransactionReceipt({ hash: await client.writeContract(create) })
      const lanyard = createLanyardClient({ baseUrl: '${service.url}' })
      ${blockOf(guide, 'existing-safe')}
      const { safeTxHash, calls, ...transaction } = state.networks[0].transaction
      const unpaid = { safeTxGas: 0n, baseGas: 0n, gasPrice: 0n, gasToken: zeroAddress, refundReceiver: zeroAddress }
      const signature = await signer.sign({ hash: safeTxHash })
      const data = encodeExecTransaction({ ...transaction, ...unpaid, value: 0n, nonce: 0n }, signature)
      await client.waitForTransactionReceipt({ hash: await client.sendTransaction({ to: safe, data }) })
      console.log((await lanyard.smartAccount.importSafe({ walletAddress: safe })).networks[0].state)
      await client.setBalance({ address: safe, value: parseEther('1') })
      const network = '31337'
      const transactionDetails = [{ targetContractAddress: signer.address, encodedData: '0x', value: '1' }]
      ${blockOf(guide, 'existing-safe-pays')}
      console.log({ txnHash })`
    const { stdout } = await runIn('packages/client', program)
    expect(stdout).toMatch(/^ready\n\{\s+txnHash: '0x[0-9a-f]{64}'/)
  })

  test("behavior: code for viem's bundler client stays as it is", async () => {
    const key = generatePrivateKey()
    const created = await postJson(`${service.url}/smart-account/create`, {
      eoaAddress: privateKeyToAddress(key),
    })
    const walletAddress = created.body.wallet.scw_address
    await postJson(`${service.url}/wallet/faucet`, { walletAddress, network: '31337' })
    const { body } = await ask(`${service.url}/networks`)
    const block = blockOf(await read('move-from-another-service.md'), 'account')
    const { stdout } = await runIn(
      'packages/viem',
      `import { toLanyardSmartAccount } from '@lanyard/viem'
      import { createPublicClient, http } from 'viem'
      import { createBundlerClient } from 'viem/account-abstraction'
      import { privateKeyToAccount } from 'viem/accounts'
      import { anvil } from 'viem/chains'
      const service = '${service.url}'
      const client = createPublicClient({ chain: anvil, transport: http('${body.networks[0].rpcUrl}') })
      const owner = privateKeyToAccount('${key}')
      const calls = [{ to: owner.address, value: 1n }]
      ${block.replace('8453', '31337')}
      console.log(account.address, await client.getBalance({ address: owner.address }))`,
    )
    expect(stdout).toContain(walletAddress)
  })

  test.each(['run-it-on-base.md', 'keep-your-address.md'])(
    'behavior: %s names networks that the service takes',
    async (guide) => {
      const [, kind, text = ''] = /```json (networks?)\n([\s\S]*?)```/.exec(await read(guide)) ?? []
      const written: unknown = JSON.parse(kind === 'network' ? `{ "networks": [${text}] }` : text)
      const { document, missing } = substituteVariables(
        written,
        (name) => `https://${name.toLowerCase().replaceAll('_', '-')}.example`,
      )
      expect(missing).toEqual([])
      expect(networksFile.parse(document)).toBeDefined()
    },
  )
})
