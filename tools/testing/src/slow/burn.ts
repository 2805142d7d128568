import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'

/**
 * Takes processor time from everything else by busy loops: the scheduler shares each processor equally, so with two loops
 * beside one test process the test gets a third. They end with this process.
 */
export function burn(share: number): { stop(): void } {
  const loops = Math.round((1 / share - 1) * availableParallelism())
  // A loop ends when its parent has: nothing may burn on after a kill.
  const program = `const parent = process.ppid
    for (;;) {
      const until = Date.now() + 500
      while (Date.now() < until);
      if (process.ppid !== parent) process.exit()
    }`
  const children = Array.from({ length: loops }, () =>
    spawn(process.execPath, ['-e', program], { stdio: 'ignore' }),
  )
  return { stop: () => children.forEach((child) => void child.kill('SIGKILL')) }
}
