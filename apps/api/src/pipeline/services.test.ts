import { expect, test } from 'vitest'
import { createCheckpoint } from '../platform/checkpoint.ts'
import type { Services } from './services.ts'

test('behavior: a step that stands in none of the lists does not compile', async () => {
  const checkpoint: Services['checkpoint'] = createCheckpoint({ CRASH_AT: undefined })
  // @ts-expect-error: nobody would kill there
  await expect(checkpoint('order:unlisted')).resolves.toBeUndefined()
})
