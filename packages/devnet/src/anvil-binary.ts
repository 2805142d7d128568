import { createRequire } from 'node:module'
import { DevnetError } from './errors.ts'

/**
 * Absolute path of anvil's platform binary.
 *
 * `@foundry-rs/anvil` is only a launcher, an extra process that could be left behind. The binary is in the
 * optional dependency for this platform, which pnpm makes visible only to the launcher, so the path is
 * resolved in two steps.
 *
 * @throws DevnetError `ANVIL_NOT_INSTALLED`
 */
export function anvilBinary(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${arch}`
  try {
    const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
    return createRequire(launcher).resolve(`${platformPackage}/bin/anvil${suffix}`)
  } catch (cause) {
    throw new DevnetError(
      'ANVIL_NOT_INSTALLED',
      `anvil is not installed: ${platformPackage} is missing. Install without --no-optional, on a platform that Foundry supports.`,
      { cause },
    )
  }
}
