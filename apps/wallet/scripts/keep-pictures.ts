/**
 * Copies the screenshots that documents use from the latest run of the browser suite
 * (`pnpm --filter @lanyard/wallet pictures`).
 */
import { copyFile, mkdir, stat } from 'node:fs/promises'

/** Names of screenshots (`look` in e2e/stage.ts) and their maximum bytes, since they are committed. */
const pictures = [
  'combined-1440-light',
  'combined-1440-dark',
  'brand-home-1440-light',
  'guardian-request-1440-light',
  'sessions-1440-light',
  'agent-request-1440-light',
]
const maxBytes = 150_000

const kept = new URL('../../../docs/pictures/', import.meta.url)
await mkdir(kept, { recursive: true })
for (const name of pictures) {
  const made = new URL(`../artifacts/${name}.png`, import.meta.url)
  const { size } = await stat(made)
  if (size > maxBytes) throw new Error(`${name} has ${size} bytes; ${maxBytes} are the limit`)
  await copyFile(made, new URL(`wallet-${name}.png`, kept))
}
