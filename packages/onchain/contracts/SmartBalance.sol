// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ISmartBalanceDeployer, Parameters} from "./interfaces/ISmartBalanceDeployer.sol";
import {Administration} from "./smart-balance/Administration.sol";
import {PaymasterFunds} from "./smart-balance/PaymasterFunds.sol";
import {Signers} from "./smart-balance/Signers.sol";
import {SmartBalanceParts} from "./smart-balance/SmartBalanceParts.sol";
import {UserCheck} from "./smart-balance/UserCheck.sol";
import {Vault} from "./smart-balance/Vault.sol";

/// @dev The parameters that the deployer holds ready for the constructor that it is running.
function parametersOf(address deployer) view returns (Parameters memory) {
    return ISmartBalanceDeployer(deployer).parameters();
}

/// @title One balance across all networks
/// @notice Accounts deposit the settlement token on any network and spend the total on any one of them with one
/// signature. The operator's liquidity lends the difference and is repaid from the deposits on the other networks.
///
/// What each role can take:
/// - the operator: liquidity, up to the hourly cap;
/// - an attestor or a settler alone: nothing;
/// - operator, attestors and settler together: the amount that a user signed for an operation that then failed, once,
///   within the settlement window;
/// - the owner: liquidity and roles, but no deposit;
/// - the pauser: nothing; it stops new orders and operators, and settlement for at most 36 hours in 14 days;
/// - a user without any of them: everything deposited, after EXIT_DELAY.
///
/// Not upgradable. Not audited.
/// @dev The deployer's init code is constant and holds the arguments, so the address is the same on all networks.
contract SmartBalance is SmartBalanceParts {
    constructor()
        Vault(parametersOf(msg.sender).token)
        Ownable(parametersOf(msg.sender).owner)
        Administration(parametersOf(msg.sender).verifier)
        PaymasterFunds(parametersOf(msg.sender).entryPoint)
        UserCheck(parametersOf(msg.sender).safe4337Module)
        Signers(parametersOf(msg.sender).epochs)
    {}
}
