// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Exits} from "./Exits.sol";
import {Settlement} from "./Settlement.sol";
import {Withdrawals} from "./Withdrawals.sol";

/// @title Everything of SmartBalance but its constructor
/// @dev Apart, because SmartBalance is compiled by another pipeline than the tests, which import only this.
// solhint-disable-next-line no-empty-blocks
abstract contract SmartBalanceParts is Exits, Withdrawals, Settlement {}
