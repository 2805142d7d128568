/** @module-tag long */
import { describeTemplate } from './describe-template.ts'

describeTemplate('react', 5173)
