import { createRequire } from 'node:module'

/**
 * Absolute path of forge's platform binary.
 *
 * `@foundry-rs/forge` is only a launcher. The binary is in the optional dependency for this platform, which
 * pnpm makes visible only to the launcher, so the path is resolved in two steps.
 */
export function forgeBinary(): string {
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/forge/bin.mjs')
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return createRequire(launcher).resolve(`@foundry-rs/forge-${process.platform}-${arch}/bin/forge${suffix}`)
}
