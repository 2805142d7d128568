import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { defaultDeployment, encodeWebAuthnSignature, type PasskeyOwner, toOwner } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { safeWebAuthnSharedSignerAbi } from '@lanyard/onchain'
import {
  type Address,
  bytesToBigInt,
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  slice,
} from 'viem'
import { codeThatReturns } from './code-that-returns.ts'

/** The ERC-1271 return value for a valid signature. */
const magicValue = '0x1626ba7e'

/** Calls in an account's place. The address is unused; its code is overridden. */
const account: Address = '0x00000000000000000000000000000000000acc01'

/** After encodeContractSignature's static part and the length. */
const assertionOffset = 97

/** A temporary passkey that signs only the probe below. */
function createPasskey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => bytesToBigInt(Buffer.from(text, 'base64url'))
  return { owner: toOwner({ x: coordinate(x), y: coordinate(y) }), privateKey }
}

/** An assertion over a hash, as the signer contract takes it. */
function assertionOver(hash: Hex, { privateKey }: ReturnType<typeof createPasskey>): Hex {
  const challenge = Buffer.from(hexToBytes(hash)).toString('base64url')
  const clientDataJSON = Buffer.from(
    `{"type":"webauthn.get","challenge":"${challenge}","origin":"https://preflight.example","crossOrigin":false}`,
  )
  const authenticatorData = Buffer.concat([
    createHash('sha256').update('preflight.example').digest(),
    Buffer.from([0x05, 0, 0, 0, 1]), // user present and verified
  ])
  const signature = createSign('sha256')
    .update(authenticatorData)
    .update(createHash('sha256').update(clientDataJSON).digest())
    .sign(privateKey)
  const encoded = encodeWebAuthnSignature({
    hash,
    assertion: { authenticatorData, clientDataJSON, signature },
  })
  if (!encoded.ok) throw new TypeError(encoded.message)
  return slice(encoded.signature, assertionOffset)
}

/** Code that answers Safe's `getStorageAt` with the passkey's configuration, as `bytes` of three words. */
function accountCode({ x, y, verifiers }: PasskeyOwner): Hex {
  const words = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
    [x, y, verifiers],
  )
  return codeThatReturns(encodeAbiParameters([{ type: 'bytes' }], [words]))
}

/**
 * Calls the shared signer, as a Safe does, with a valid signature and with a signature over another message.
 * Accounts depend on this behaviour, whatever the code of the signer and its verifiers is.
 */
export async function probeSharedSigner(
  network: Network,
): Promise<'right' | 'refuses-right' | 'takes-wrong'> {
  const passkey = createPasskey()
  const [message, other] = [bytesToHex(randomBytes(32)), bytesToHex(randomBytes(32))]
  const signature = assertionOver(message, passkey)
  const takes = async (request: Hex) => {
    const { data = '0x' } = await network.call((client) =>
      client.call({
        account,
        to: defaultDeployment.sharedSigner,
        data: encodeFunctionData({
          abi: safeWebAuthnSharedSignerAbi,
          functionName: 'isValidSignature',
          args: [request, signature],
        }),
        stateOverride: [{ address: account, code: accountCode(passkey.owner) }],
      }),
    )
    return data.startsWith(magicValue)
  }
  const [right, wrong] = await Promise.all([takes(message), takes(other)])
  if (wrong) return 'takes-wrong'
  return right ? 'right' : 'refuses-right'
}
