// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {ISmartBalanceDeployer, Parameters} from "./interfaces/ISmartBalanceDeployer.sol";

/// @title Deploys SmartBalance at the same address on every network
/// @notice Deploy this contract through the deterministic deployer 0x4e59b44847b379578588920cA78FbF26c0B4956C. Then
/// call {deploy} from the same address with the same salt on every network. SmartBalance's creation code is constant
/// although its token differs, since its constructor reads its arguments back from here.
contract SmartBalanceDeployer is ISmartBalanceDeployer {
    event Deployed(address indexed smartBalance, address indexed sender, bytes32 salt);

    /// @dev Set only while {deploy} runs.
    Parameters private _parameters;

    /// @notice Deploys with the parameters of this network. The address depends on caller, salt and creation code, so
    /// no one else can take it with other parameters. Reverts with the constructor's error (UnsupportedDecimals,
    /// OwnableInvalidOwner), or with FailedDeployment if there is no reason, for example if it was deployed before.
    /// @param creationCode SmartBalance's creation code. It is an argument because the code of both contracts would not
    /// fit into one.
    function deploy(bytes32 salt, bytes calldata creationCode, Parameters calldata parameters_)
        external
        returns (address smartBalance)
    {
        _parameters = parameters_;
        smartBalance = Create2.deploy(0, _saltOf(msg.sender, salt), creationCode);
        delete _parameters;
        emit Deployed(smartBalance, msg.sender, salt);
    }

    /// @inheritdoc ISmartBalanceDeployer
    function parameters() external view returns (Parameters memory) {
        return _parameters;
    }

    /// @notice The address at which `sender` deploys, or has deployed.
    function addressOf(address sender, bytes32 salt, bytes32 creationCodeHash)
        external
        view
        returns (address)
    {
        return Create2.computeAddress(_saltOf(sender, salt), creationCodeHash);
    }

    function _saltOf(address sender, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(sender, salt));
    }
}
