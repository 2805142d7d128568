import type { Hex } from 'viem'
import { safeDeployment } from '../src/index.ts'
import { safeWebAuthnSignerCreationCode } from '../src/owners/safeWebAuthnSignerCreationCode.ts'
import type { startChain } from './entry-point.ts'

/** `6101ee 80 61070b`: PUSH2 length, DUP1, PUSH2 offset of the proxy's creation code that the factory copies. */
const npmLength = '6101ee8061070b'
const npmCode = { offset: 0x70b, length: 0x1ee }

/**
 * Gives the local signer factory the proxies of the canonical one.
 *
 * npm's @safe-global/safe-passkey@0.2.0 is compiled from an older source than the canonical v0.2.1, so its
 * factory makes proxies of other bytes and hence at other addresses. Here the canonical creation code takes the
 * place of the embedded one.
 */
export async function placeCanonicalSigners({
  client,
}: Awaited<ReturnType<typeof startChain>>): Promise<void> {
  const address = safeDeployment.signerFactory
  const code = (await client.getCode({ address }))?.slice(2) ?? ''
  const canonical = safeWebAuthnSignerCreationCode.slice(2)
  if (code.includes(canonical)) return // a devnet with the canonical factory needs nothing

  const length = (canonical.length / 2).toString(16).padStart(4, '0')
  const patched = code.replace(npmLength, npmLength.replace('01ee', length))
  const start = npmCode.offset * 2
  const end = start + npmCode.length * 2
  const bytecode: Hex = `0x${patched.slice(0, start)}${canonical.padEnd(npmCode.length * 2, '0')}${patched.slice(end)}`
  await client.setCode({ address, bytecode })
}
