// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Administration} from "./Administration.sol";
import {OrderLib} from "./libraries/Order.sol";

/// @title Immediate withdrawals, co-signed by the operator
/// @notice The co-signature confirms that no open order owes the withdrawn amount. Without one, use {Exits}.
abstract contract Withdrawals is Administration {
    /// @notice Thrown if a co-signature is used after its deadline.
    error WithdrawalExpired(uint48 deadline);

    /// @notice Thrown if a co-signature was used before.
    error WithdrawalUsed(bytes32 digest);

    /// @notice Thrown if the co-signature is not an operator's over exactly this withdrawal by this caller.
    error WithdrawalNotCosigned();

    event Withdrawn(
        address indexed account, address indexed to, uint256 amount, uint256 fee, bytes32 indexed digest
    );

    bytes32 internal constant WITHDRAW_TYPEHASH = keccak256(
        "Withdraw(address account,address to,uint128 amount,uint128 fee,bytes32 salt,uint48 deadline)"
    );

    /// @notice Used co-signatures, by EIP-712 digest.
    mapping(bytes32 digest => bool) public usedWithdrawal;

    /// @notice Pays `amount` of the caller's deposit to `to` and turns `fee` of it into liquidity. Reverts with
    /// WithdrawalExpired, WithdrawalUsed, WithdrawalNotCosigned, InsufficientBalance (an exiting amount does not
    /// count), or with the token's error.
    /// @param deadline The last second in which it may be used.
    function withdraw(
        address to,
        uint128 amount,
        uint128 fee,
        bytes32 salt,
        uint48 deadline,
        bytes calldata signature
    ) external nonReentrant {
        if (block.timestamp > deadline) revert WithdrawalExpired(deadline);
        bytes32 structHash =
            keccak256(abi.encode(WITHDRAW_TYPEHASH, msg.sender, to, amount, fee, salt, deadline));
        bytes32 digest = OrderLib.typedDataHash(block.chainid, structHash);
        if (usedWithdrawal[digest]) revert WithdrawalUsed(digest);
        (address signer,,) = ECDSA.tryRecoverCalldata(digest, signature);
        // The owner could set isOperator[0] by mistake; that must not accept every broken signature.
        if (signer == address(0) || !isOperator[signer]) revert WithdrawalNotCosigned();

        Account storage account = accounts[msg.sender];
        uint256 available = account.balance - account.exiting;
        if (uint256(amount) + fee > available) revert InsufficientBalance(available, uint256(amount) + fee);
        usedWithdrawal[digest] = true;
        _debit(msg.sender, amount + fee);
        emit Withdrawn(msg.sender, to, amount, fee, digest);
        _pay(to, amount);
    }
}
