// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IOutcomeVerifier} from "./IOutcomeVerifier.sol";

/// @notice The values that differ between networks, and therefore must not be in the init code.
struct Parameters {
    /// The settlement token, 6 decimals or more.
    IERC20 token;
    /// EntryPoint v0.7.
    address entryPoint;
    /// Safe4337Module 0.3.0; the same on all networks, since the user signs its address.
    address safe4337Module;
    address owner;
    IOutcomeVerifier verifier;
    /// Epochs; the same on all networks.
    address epochs;
}

interface ISmartBalanceDeployer {
    /// @notice Read back by the constructor of the contract that is being deployed.
    function parameters() external view returns (Parameters memory);
}
