import { expect, test } from 'vitest'
import { createCheckpoint } from './checkpoint.ts'

test('behavior: a step that stands in none of the lists does not compile', async () => {
  const checkpoint = createCheckpoint({ CRASH_AT: undefined })
  // @ts-expect-error: nobody would kill there
  await expect(checkpoint('order:unlisted')).resolves.toBeUndefined()
})
