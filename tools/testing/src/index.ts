export { countCalls } from './count-calls.ts'
export { keepSource, keepText, logEvidence } from './evidence/evidence.ts'
export { freePorts } from './free-ports.ts'
export {
  numericSeed,
  randomAddress,
  randomBytes,
  randomInteger,
  randomP256KeyPair,
  randomPrivateKey,
} from './random.ts'
export { readyLine } from './ready-line.ts'
export { type Figure, reportFigure } from './report-figure.ts'
export { noteStarted } from './started.ts'
export { isLong, tier } from './tier.ts'
