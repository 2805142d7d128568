import {
  devTokenAbi,
  entryPointAbi,
  safe4337ModuleAbi,
  safeAbi,
  safeWebAuthnSharedSignerAbi,
  safeWebAuthnSignerFactoryAbi,
} from '@lanyard/onchain'
import { randomAddress } from '@lanyard/testing'
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  multicall3Abi,
  parseEventLogs,
  size,
  toHex,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  canonicalAddresses as addresses,
  type DevnetNode,
  type Hardfork,
  settlementTokenAddress,
  startNode,
} from '../src/index.ts'
import { clientsOf } from './clients.ts'
import { safeOf } from './safe.ts'
import { createPasskey, sha256, verifiers } from './webauthn.ts'

describe.each<Hardfork>(['osaka', 'prague'])('on %s', (hardfork) => {
  let node: DevnetNode
  let c: ReturnType<typeof clientsOf>

  beforeAll(async () => {
    node = await startNode({ hardfork })
    c = clientsOf(node)
  })
  afterAll(() => node.stop())

  test.each(Object.entries(addresses))('default: %s has code', async (_, address) => {
    expect(await c.publicClient.getCode({ address })).toBeDefined()
  })

  test('behavior: only osaka has the P-256 precompile', async () => {
    const { data } = await c.publicClient.call({
      to: '0x0000000000000000000000000000000000000100',
      data: p256Input(),
    })
    expect(data !== undefined && hexToBigInt(data) === 1n).toBe(hardfork === 'osaka')
  })

  test('behavior: the P-256 verifier in Solidity accepts a signature of OpenSSL, and no other', async () => {
    const verify = async (data: Hex) => {
      const answer = await c.publicClient.call({ to: addresses.p256Verifier, data })
      return answer.data !== undefined && hexToBigInt(answer.data) === 1n
    }
    expect(await verify(p256Input())).toBe(true)
    expect(await verify(p256Input({ message: 'another' }))).toBe(false)
  })

  test('behavior: EntryPoint accepts deposits, counts nonces, and computes hashes', async () => {
    const account = randomAddress()
    const entryPoint = { address: addresses.entryPoint, abi: entryPointAbi } as const
    const hash = await c.walletClient.writeContract({
      ...entryPoint,
      chain: null,
      functionName: 'depositTo',
      args: [account],
      value: 5n,
    })
    await c.publicClient.waitForTransactionReceipt({ hash })
    expect(
      await c.publicClient.readContract({ ...entryPoint, functionName: 'balanceOf', args: [account] }),
    ).toBe(5n)
    expect(
      await c.publicClient.readContract({ ...entryPoint, functionName: 'getNonce', args: [account, 3n] }),
    ).toBe(3n << 64n)
  })

  test("behavior: EntryPoint's SenderCreator is the one that its constructor deployed", async () => {
    const creator = getContractAddress({ from: addresses.entryPoint, nonce: 1n })
    expect(await c.publicClient.getCode({ address: creator })).toBeDefined()
  })

  test('behavior: a Safe with the 4337 module can be created, at the CREATE2 address', async () => {
    const { safe, initCall } = await safeOf(c.publicClient, c.owner.address)
    const hash = await c.walletClient.sendTransaction({
      chain: null,
      to: addresses.safeProxyFactory,
      data: initCall,
    })
    await c.publicClient.waitForTransactionReceipt({ hash })
    const read = { address: safe, abi: safeAbi } as const
    expect(await c.publicClient.readContract({ ...read, functionName: 'getOwners' })).toEqual([
      c.owner.address,
    ])
    expect(
      await c.publicClient.readContract({
        ...read,
        functionName: 'isModuleEnabled',
        args: [addresses.safe4337Module],
      }),
    ).toBe(true)
  })

  test('behavior: Safe4337Module trusts EntryPoint', async () => {
    expect(
      await c.publicClient.readContract({
        address: addresses.safe4337Module,
        abi: safe4337ModuleAbi,
        functionName: 'SUPPORTED_ENTRYPOINT',
      }),
    ).toBe(addresses.entryPoint)
  })

  test('behavior: the shared signer verifies a passkey configured in a Safe', async () => {
    const passkey = createPasskey()
    const configure = encodeFunctionData({
      abi: safeWebAuthnSharedSignerAbi,
      functionName: 'configure',
      args: [{ x: passkey.x, y: passkey.y, verifiers }],
    })
    const { safe, initCall } = await safeOf(c.publicClient, addresses.safeWebAuthnSharedSigner, configure)
    const created = await c.walletClient.sendTransaction({
      chain: null,
      to: addresses.safeProxyFactory,
      data: initCall,
    })
    const receipt = await c.publicClient.waitForTransactionReceipt({ hash: created })
    expect(receipt.status).toBe('success')

    const check = (data: Hex, signedData: Hex) => {
      const signature = passkey.signWebAuthn(keccak256(signedData))
      const signatures = concat([
        encodeAbiParameters([{ type: 'address' }], [addresses.safeWebAuthnSharedSigner]),
        toHex(65n, { size: 32 }),
        '0x00',
        toHex(BigInt(size(signature)), { size: 32 }),
        signature,
      ])
      return c.publicClient.readContract({
        address: safe,
        abi: safeAbi,
        functionName: 'checkSignatures',
        args: [keccak256(data), data, signatures],
      })
    }
    await check('0x01', '0x01')
    await expect(check('0x01', '0x02')).rejects.toThrow('GS024')
  })

  test('behavior: the signer factory computes the same addresses as on real networks', async () => {
    expect(
      await c.publicClient.readContract({
        address: addresses.safeWebAuthnSignerFactory,
        abi: safeWebAuthnSignerFactoryAbi,
        functionName: 'getSigner',
        // The response of the factory on Gnosis for these numbers, which are not a key (requested in August
        // 2026). The tests of @lanyard/accounts show that the factory and computeSignerAddress agree on real
        // keys.
        args: [1n, 2n, 0x100n],
      }),
    ).toBe('0xE03432AB61033B62072aE0CCAb7550C731955De7')
  })

  test('behavior: the signer factory deploys a signer that verifies', async () => {
    const passkey = createPasskey()
    const factory = {
      address: addresses.safeWebAuthnSignerFactory,
      abi: safeWebAuthnSignerFactoryAbi,
    } as const
    const key = [passkey.x, passkey.y, verifiers] as const
    const signer = await c.publicClient.readContract({ ...factory, functionName: 'getSigner', args: key })
    const hash = await c.walletClient.writeContract({
      ...factory,
      chain: null,
      functionName: 'createSigner',
      args: key,
    })
    await c.publicClient.waitForTransactionReceipt({ hash })

    const message = keccak256('0x03')
    const args = [message, passkey.signWebAuthn(message)] as const
    const abi = safeWebAuthnSharedSignerAbi
    const magicValue = '0x1626ba7e'
    expect(
      await c.publicClient.readContract({ address: signer, abi, functionName: 'isValidSignature', args }),
    ).toBe(magicValue)
    expect(
      await c.publicClient.readContract({
        ...factory,
        functionName: 'isValidSignatureForSigner',
        args: [...args, ...key],
      }),
    ).toBe(magicValue)
  })

  test('behavior: Multicall3 batches', async () => {
    const number = await c.publicClient.multicall({
      multicallAddress: addresses.multicall3,
      contracts: [
        { address: addresses.multicall3, abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' },
        { address: settlementTokenAddress, abi: devTokenAbi, functionName: 'symbol' },
      ],
      allowFailure: false,
    })
    expect(number[1]).toBe('USDC')
  })

  test('behavior: anyone can mint the settlement token', async () => {
    const to = randomAddress()
    const token = { address: settlementTokenAddress, abi: devTokenAbi } as const
    const hash = await c.walletClient.writeContract({
      ...token,
      chain: null,
      functionName: 'mint',
      args: [to, 7n],
    })
    const { logs } = await c.publicClient.waitForTransactionReceipt({ hash })
    const [transfer] = parseEventLogs({ abi: devTokenAbi, eventName: 'Transfer', logs })
    expect(transfer?.args).toEqual({ from: zeroAddress, to, value: 7n })
    expect(await c.publicClient.readContract({ ...token, functionName: 'balanceOf', args: [to] })).toBe(7n)
  })
})

/** digest ‖ r ‖ s ‖ x ‖ y (EIP-7951), signed by a fresh key; over `message` instead when given. */
function p256Input({ message = 'message' } = {}): Hex {
  const { x, y, ...passkey } = createPasskey()
  const { r, s } = passkey.sign(Buffer.from('message'))
  return concat([toHex(sha256(message)), ...[r, s, x, y].map((word) => toHex(word, { size: 32 }))])
}
