// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {MAX_FLAT_FEE} from "../Constants.sol";

/// @notice The fields of a user operation, with hashes instead of the fields of variable size.
struct Operation {
    address account;
    /// uint192 key, then uint64 sequence.
    uint256 nonce;
    bytes32 initCodeHash;
    bytes32 callDataHash;
    /// uint128 verificationGasLimit, then uint128 callGasLimit.
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    /// uint128 maxPriorityFeePerGas, then uint128 maxFeePerGas.
    bytes32 gasFees;
}

/// @notice The amount that one source network repays.
struct Debit {
    uint64 chainId;
    /// Due if the order was claimed, in 6-decimals units.
    uint128 amount;
    /// Due if the operation failed, at most `amount`.
    uint64 failFee;
}

/// @notice The signer of the account.
struct Signer {
    /// The address, or keccak256(x ‖ y ‖ verifiers), as pinned in {Signers}.
    bytes32 id;
    bool isPasskey;
    /// P-256 public key of a passkey.
    bytes32 x;
    bytes32 y;
}

/// @notice The data that the operator signs in addition to the operation; decoded from `paymasterAndData`.
struct Order {
    /// uint128 paymasterVerificationGasLimit, then uint128 paymasterPostOpGasLimit.
    bytes32 paymasterGasLimits;
    /// The loan, in 6-decimals units.
    uint128 claimAmount;
    /// Seconds since the epoch; the last second in which the operation may be included.
    uint48 validUntil;
    Debit[] debits;
    Signer signer;
    bytes operatorSignature;
}

/// @title EIP-712 hash and bounds of an order
library OrderLib {
    /// @notice Thrown if debits are not in strictly ascending order of chainId.
    error DebitsNotAscending();

    /// @notice Thrown if one debit's failFee exceeds its amount.
    error FailFeeAboveAmount(uint64 chainId);

    /// @notice Thrown if Σ debits > claimAmount × 1.01 + MAX_FLAT_FEE.
    error DebitsTooHigh(uint256 sum, uint256 highest);

    /// @notice Thrown if Σ failFees > MAX_FLAT_FEE.
    error FailFeesTooHigh(uint256 sum, uint256 highest);

    bytes32 internal constant DEBIT_TYPEHASH =
        keccak256("Debit(uint64 chainId,uint128 amount,uint64 failFee)");
    bytes32 internal constant ORDER_TYPEHASH = keccak256(
        "Order(address account,uint256 nonce,bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes32 paymasterGasLimits,uint128 claimAmount,uint48 validUntil,Debit[] debits,bytes32 signer)Debit(uint64 chainId,uint128 amount,uint64 failFee)"
    );
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 internal constant NAME_HASH = keccak256("SmartBalance");
    bytes32 internal constant VERSION_HASH = keccak256("1");

    /// @dev In the order of ORDER_TYPEHASH. A struct, because its abi.encode uses no stack.
    struct EncodedOrder {
        bytes32 typeHash;
        Operation operation;
        bytes32 paymasterGasLimits;
        uint128 claimAmount;
        uint48 validUntil;
        bytes32 debitsHash;
        bytes32 signer;
    }

    /// @notice The EIP-712 digest of an order for the output network `chainId`; the identity of the order.
    /// @dev Omits signatures, which others can change without changing their meaning ((r, n − s)).
    function hash(Order memory order, uint256 chainId, Operation memory operation)
        internal
        view
        returns (bytes32)
    {
        EncodedOrder memory encoded = EncodedOrder({
            typeHash: ORDER_TYPEHASH,
            operation: operation,
            paymasterGasLimits: order.paymasterGasLimits,
            claimAmount: order.claimAmount,
            validUntil: order.validUntil,
            debitsHash: _hashDebits(order.debits),
            signer: order.signer.id
        });
        return typedDataHash(chainId, keccak256(abi.encode(encoded)));
    }

    /// @notice The EIP-712 digest in this contract's domain on `chainId`.
    /// @dev Not OpenZeppelin's EIP712, which knows only the current network, while the address is the same on all
    /// networks.
    function typedDataHash(uint256 chainId, bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, chainId, address(this)));
        return MessageHashUtils.toTypedDataHash(domain, structHash);
    }

    /// @notice Whether the order only sponsors: nothing is lent and nothing is owed.
    function isSponsorship(Order memory order) internal pure returns (bool) {
        return order.claimAmount == 0 && order.debits.length == 0;
    }

    /// @notice Reverts with one of the errors above unless the order is within the protocol's bounds.
    /// @dev A pure function, so that a source never rejects what the output network accepted.
    function checkBounds(Order memory order) internal pure {
        uint256 amounts;
        uint256 failFees;
        uint256 previousChainId;
        for (uint256 i; i < order.debits.length; ++i) {
            Debit memory debit = order.debits[i];
            // Chain id 0 does not exist, so the first debit passes only if its chain id is real.
            if (debit.chainId <= previousChainId) revert DebitsNotAscending();
            if (debit.failFee > debit.amount) revert FailFeeAboveAmount(debit.chainId);
            previousChainId = debit.chainId;
            amounts += debit.amount;
            failFees += debit.failFee;
        }
        uint256 highest = uint256(order.claimAmount) + order.claimAmount / 100 + MAX_FLAT_FEE;
        if (amounts > highest) revert DebitsTooHigh(amounts, highest);
        if (failFees > MAX_FLAT_FEE) revert FailFeesTooHigh(failFees, MAX_FLAT_FEE);
    }

    /// @notice The debit on `chainId`; zeros if there is none.
    function debitOn(Order memory order, uint256 chainId) internal pure returns (Debit memory debit) {
        for (uint256 i; i < order.debits.length; ++i) {
            if (order.debits[i].chainId == chainId) return order.debits[i];
        }
    }

    function _hashDebits(Debit[] memory debits) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](debits.length);
        for (uint256 i; i < debits.length; ++i) {
            hashes[i] = keccak256(abi.encode(DEBIT_TYPEHASH, debits[i]));
        }
        return keccak256(abi.encodePacked(hashes));
    }
}
