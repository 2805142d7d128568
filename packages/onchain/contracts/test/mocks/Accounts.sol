// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IAccount, IAccountExecute, ISenderCreator, PackedUserOperation} from "../../interfaces/ERC4337.sol";

/// @dev Like EntryPoint's: drops the factory's revert data.
contract SenderCreator is ISenderCreator {
    function createSender(bytes calldata initCode) external returns (address sender) {
        (bool success, bytes memory returned) = address(bytes20(initCode[:20])).call(initCode[20:]);
        if (success && returned.length >= 32) sender = abi.decode(returned, (address));
    }
}

/// @dev An account without a signature check that forwards calls: `callData` = abi.encodeCall(execute, …).
contract TestAccount is IAccount {
    error ValidationRefused(uint256 nonce);

    function validateUserOp(PackedUserOperation calldata op, bytes32, uint256 missingAccountFunds)
        external
        virtual
        returns (uint256 validationData)
    {
        if (op.signature.length == 1) revert ValidationRefused(op.nonce);
        if (missingAccountFunds != 0 && op.signature.length != 2) {
            (bool success,) = msg.sender.call{value: missingAccountFunds}("");
            success;
        }
        // A signature of 32 bytes is the account's return value.
        return op.signature.length == 32 ? uint256(bytes32(op.signature)) : 0;
    }

    function execute(address target, bytes calldata data) external {
        (bool success, bytes memory returned) = target.call(data);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(returned, 32), mload(returned))
        }
    }

    receive() external payable {}
}

/// @dev Receives the operation itself (IAccountExecute), and stores the hash that came with it.
contract ExecutingAccount is TestAccount, IAccountExecute {
    bytes32 public executedHash;

    function executeUserOp(PackedUserOperation calldata, bytes32 userOpHash) external {
        executedHash = userOpHash;
    }
}

/// @dev Reads its deposit from EntryPoint during validation.
contract CallingBackAccount is TestAccount {
    function validateUserOp(PackedUserOperation calldata, bytes32, uint256)
        external
        override
        returns (uint256)
    {
        (bool success, bytes memory returned) =
            msg.sender.call(abi.encodeWithSignature("balanceOf(address)", address(this)));
        if (success) return abi.decode(returned, (uint256));
        assembly ("memory-safe") {
            revert(add(returned, 32), mload(returned))
        }
    }
}

/// @dev Checks its "signature" by an expensive call whose failure it catches, as Safe4337Module does: with too little
/// gas it does not revert, but reports a wrong signature.
contract CatchingAccount is TestAccount {
    function validateUserOp(PackedUserOperation calldata, bytes32, uint256)
        external
        view
        override
        returns (uint256)
    {
        try this.expensiveCheck(0) {
            return 0;
        } catch {
            return 1;
        }
    }

    /// @dev Nested, so that 63/64 applies several times; the innermost level uses up the gas.
    function expensiveCheck(uint256 depth) external view {
        if (depth < 4) return this.expensiveCheck(depth + 1);
        for (uint256 i; i < 2_000; ++i) {
            keccak256(abi.encode(i));
        }
    }
}

contract TestFactory {
    error FactoryRefused();

    enum Mode {
        Create,
        Revert,
        CreateNothing
    }

    function create(bytes32 salt, Mode mode) external returns (address) {
        if (mode == Mode.Revert) revert FactoryRefused();
        if (mode == Mode.CreateNothing) return addressOf(salt);
        return address(new TestAccount{salt: salt}());
    }

    function addressOf(bytes32 salt) public view returns (address) {
        bytes32 codeHash = keccak256(type(TestAccount).creationCode);
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, codeHash)))));
    }
}
