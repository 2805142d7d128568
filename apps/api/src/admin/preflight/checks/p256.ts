import { finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Whether the P-256 precompile exists, if the configuration declares it present or absent. */
export const checkP256: Check = async ({ network }) => {
  const { p256Precompile, chainId } = network.config
  const present = await network.hasP256Precompile()
  if (p256Precompile === undefined || p256Precompile === present) return []
  const place = 'a precompile at 0x100 (RIP-7212, EIP-7951)'
  if (present) {
    return finding('PRECOMPILE_UNEXPECTED', {
      message: 'The network has the P-256 precompile, but the configuration says that it has none.',
      expected: 'none',
      seen: place,
      fix: `Set "p256Precompile": true for network ${chainId} in NETWORKS_FILE.`,
    })
  }
  return finding('PRECOMPILE_MISSING', {
    message:
      'The P-256 precompile is missing: a passkey operation costs some 300,000 gas more, in the Solidity verifier.',
    expected: place,
    seen: 'none',
    fix: `Nothing breaks. If the chain has none yet, set "p256Precompile": false for network ${chainId} in NETWORKS_FILE.`,
  })
}
