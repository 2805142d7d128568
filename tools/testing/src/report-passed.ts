import { afterAll, afterEach } from 'vitest'
import { reportFigure } from './report-figure.ts'

/**
 * Reports at the end of a test file how many of its tests passed. If `counts` is given, a test counts only if
 * `counts` accepts its name or the name of a surrounding `describe`.
 *
 * @example
 * reportPassed(1, 'kills survived: submissions', (name) => name.startsWith('behavior: at '))
 */
export function reportPassed(
  promise: number,
  name: string,
  counts: (title: string) => boolean = () => true,
): void {
  let passed = 0
  afterEach(({ task }) => {
    const titles = [task.name, task.suite?.name ?? '']
    if (task.result?.state === 'pass' && titles.some(counts)) passed++
  })
  afterAll(() => reportFigure(promise, name, passed))
}
