import { runInRequest } from '../src/platform/log/current-request.ts'

/** Runs work within a request. @returns the gas, and the milliseconds of other threads, that it is charged for */
export async function recordCosts(
  run: () => Promise<unknown>,
): Promise<{ readonly gas: bigint; readonly milliseconds: number }> {
  let [gas, milliseconds] = [0n, 0]
  const meter = {
    nodeUser: () => ({ path: ['recorded'], cost: 1 }),
    addCalls: () => {},
    addGas: (more: bigint) => {
      gas += more
    },
    addTime: (more: number) => {
      milliseconds += more
    },
    reserveSpace: () => ({ charge: () => {}, release: () => {} }),
    pause: () => () => {},
    work: () => () => {},
  }
  await new Promise<unknown>((resolve, reject) => {
    runInRequest({ requestId: 'recorded', meter }, () => void run().then(resolve, reject))
  })
  return { gas, milliseconds }
}
