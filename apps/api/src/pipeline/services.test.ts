import { expect, test } from 'vitest'
import { publishCheckpoint } from '../platform/checkpoint.ts'
import type { Services } from './services.ts'

test('behavior: a checkpoint that is in no list does not compile', async () => {
  const checkpoint: Services['checkpoint'] = publishCheckpoint
  // @ts-expect-error: no suite would kill at this checkpoint
  await expect(checkpoint('order:unlisted')).resolves.toBeUndefined()
})
