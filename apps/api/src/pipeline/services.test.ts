import { expect, test } from 'vitest'
import { createCheckpoint } from '../platform/checkpoint.ts'
import type { Services } from './services.ts'

test('behavior: a checkpoint that is in no list does not compile', async () => {
  const checkpoint: Services['checkpoint'] = createCheckpoint({ CRASH_AT: undefined })
  // @ts-expect-error: no suite would kill at this checkpoint
  await expect(checkpoint('order:unlisted')).resolves.toBeUndefined()
})
